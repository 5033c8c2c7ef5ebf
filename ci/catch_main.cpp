// The main() of every test program. Catch2 3.x brings its own, 2.x is told to make one here.
#if __has_include(<catch2/catch_test_macros.hpp>)
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
