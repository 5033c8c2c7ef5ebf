# wakeproof_precompile(TARGET [HEADER...]): the standard library, and what else is not this project's, is read once for a
# target and not once a source. None of our own headers, but for catch2.hpp in tests: what a source includes itself is what
# the build writes down about it, and what `--changed-since` goes by. For tests and scenarios alone: where
# strings are put together g++ 12 then warns of its own library, which it does not know again as a system header.
function(wakeproof_precompile target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13 AND
     NOT CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    return()  # at -O3 those warnings come in tests too
  endif()
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <condition_variable> <coroutine> <deque> <functional> <map> <memory> <mutex>
    <optional> <string> <thread> <utility> <vector> ${ARGN})
endfunction()
