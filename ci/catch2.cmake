# wakeproof_catch_main: what a test program links to get Catch2, 2.x or 3.x, and its main().
add_library(wakeproof_catch_main STATIC ${CMAKE_CURRENT_LIST_DIR}/catch_main.cpp)
target_include_directories(wakeproof_catch_main PUBLIC ${PROJECT_SOURCE_DIR})
if(TARGET Catch2::Catch2WithMain)
  target_link_libraries(wakeproof_catch_main PUBLIC Catch2::Catch2WithMain)
else()
  target_link_libraries(wakeproof_catch_main PUBLIC Catch2::Catch2)
endif()
# Without the sanitizers and without -O: nothing in it is under test, and it takes longer to compile than any test.
target_compile_options(wakeproof_catch_main PRIVATE -O0 -g0)
