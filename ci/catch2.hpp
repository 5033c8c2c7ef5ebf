// Catch2 in either of its shapes: one header in 2.x, several in 3.x.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
namespace wakeproof::testing {
inline auto contains(const std::string& part) {
  return Catch::Matchers::ContainsSubstring(part);
}
}  // namespace wakeproof::testing
#else
#include <catch2/catch.hpp>
namespace wakeproof::testing {
inline auto contains(const std::string& part) {
  return Catch::Matchers::Contains(part);
}
}  // namespace wakeproof::testing
#endif
