# wakeproof_add_scenarios(NAME sources... [BOUNDS 1x1 1x2 ...] [BUDGET seconds] [TSAN] [LABELS label...])
#
# Builds the command NAME from sources that add scenarios (<wakeproof/scenarios.hpp>), and registers tests that fail
# where a verdict is not the expected one (exit status 10) or a search ends early (12):
#
#   NAME.PxI     for each of BOUNDS: P producers, I items of each
#   NAME.sizes   without BOUNDS: each scenario at its own sizes
#   NAME.tsan    with TSAN: the scripts of the scenarios that are to be proved, on real threads, in the
#                program NAME.stress under ThreadSanitizer
#
# BUDGET is wall time for the searches of each test; there is none without it. Every test has the label `wakeproof` and
# those given. The trace and the page of an unexpected verdict are in NAME.traces of the binary folder.
#
# NAME.stress compiles the sources and its main() under ThreadSanitizer and links the installed library, which is not
# instrumented. That hides nothing: on real threads a script, the ledger and the platform are templates and inline
# functions, whose instrumented copies come first in the link, and the library synchronises no thread of theirs:
# it keeps the list of scenarios, written before main(), and hands allocations on to malloc.
set(WAKEPROOF_STRESS_MAIN ${CMAKE_CURRENT_LIST_DIR}/stress_main.cpp)

function(wakeproof_add_scenarios NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "TSAN" "BUDGET" "BOUNDS;LABELS")
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  wakeproof_check_arguments_()

  add_executable(${NAME} ${sources})
  target_link_libraries(${NAME} PRIVATE wakeproof::main)

  # What is left of a search that its budget ends is kept beside the program, for `run --resume`.
  set(run run --checkpoint ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.checkpoint --progress 0)
  if(ARG_BUDGET)
    list(APPEND run --budget ${ARG_BUDGET}s)
  endif()
  set(tests "")
  foreach(size IN LISTS ARG_BOUNDS)
    string(REPLACE "x" ";" numbers ${size})
    list(GET numbers 0 producers)
    list(GET numbers 1 items)
    add_test(NAME ${NAME}.${size} COMMAND ${NAME} ${run} -P ${producers} -I ${items}
             --traces ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.traces/${size})
    list(APPEND tests ${NAME}.${size})
  endforeach()
  if(NOT ARG_BOUNDS)
    add_test(NAME ${NAME}.sizes COMMAND ${NAME} ${run} --traces ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.traces/sizes)
    list(APPEND tests ${NAME}.sizes)
  endif()
  if(ARG_TSAN)
    add_executable(${NAME}.stress ${sources} ${WAKEPROOF_STRESS_MAIN})
    target_compile_options(${NAME}.stress PRIVATE -fsanitize=thread -fno-omit-frame-pointer -g)
    target_link_options(${NAME}.stress PRIVATE -fsanitize=thread)
    target_link_libraries(${NAME}.stress PRIVATE wakeproof::models)
    add_test(NAME ${NAME}.tsan COMMAND ${NAME}.stress)
    set_tests_properties(${NAME}.tsan PROPERTIES ENVIRONMENT "TSAN_OPTIONS=halt_on_error=1 exitcode=66")
    list(APPEND tests ${NAME}.tsan)
  endif()
  if(ARG_BUDGET)
    # The command ends by itself; on real threads a lost wakeup sleeps for ever.
    math(EXPR timeout_s "${ARG_BUDGET} + 60")
    set_tests_properties(${tests} PROPERTIES TIMEOUT ${timeout_s})
  endif()
  set_property(TEST ${tests} PROPERTY LABELS wakeproof ${ARG_LABELS})
endfunction()

# One line for a call that is wrong. Of wakeproof_add_scenarios alone: it reads the variables there.
macro(wakeproof_check_arguments_)
  set(whose "wakeproof_add_scenarios(${NAME}):")
  if(NOT sources)
    message(FATAL_ERROR "${whose} no sources")
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    get_source_file_property(generated "${path}" GENERATED)
    if(NOT EXISTS "${path}" AND NOT generated AND NOT source MATCHES "\\$<")
      message(FATAL_ERROR "${whose} there is no source '${source}'")
    endif()
  endforeach()
  foreach(keyword IN LISTS ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${whose} ${keyword} without a value")
  endforeach()
  foreach(size IN LISTS ARG_BOUNDS)
    if(NOT size MATCHES "^[1-7]x[1-9][0-9]?[0-9]?$")
      message(FATAL_ERROR "${whose} BOUNDS '${size}' is not PRODUCERSxITEMS, as 2x1, with 1 to 7 producers and 1 to 999 items")
    endif()
  endforeach()
  if(DEFINED ARG_BUDGET AND NOT ARG_BUDGET MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${whose} BUDGET '${ARG_BUDGET}' is not a whole number of seconds")
  endif()
  if(ARG_TSAN AND NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "${whose} TSAN needs g++ or clang++, which have ThreadSanitizer")
  endif()
endmacro()
