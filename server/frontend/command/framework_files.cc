#include "server/frontend/command/framework_files.h"

#include <algorithm>
#include <iterator>

namespace heddle::frontend {
namespace {

constexpr FrameworkFile kFrameworkFiles[] = {
    {"/gtest/gtest.h", "INCLUDE_GTEST_GTEST_H_", "googletest", kGoogleTest},
    {"/src/gtest-all.cc", "gtest/gtest.h", "", kGoogleTest},
    {"/src/gtest_main.cc", "gtest/gtest.h", "", kGoogleTest},
    {"/gmock/gmock.h", "INCLUDE_GMOCK_GMOCK_H_", "googlemock", kGoogleTest},
    {"/src/gmock-all.cc", "gmock/gmock.h", "", kGoogleTest},
    {"/src/gmock_main.cc", "gmock/gmock.h", "", kGoogleTest},
    {"/catch.hpp", "Catch v2.", "catch2", kCatch},
    {"/catch_amalgamated.hpp", "Catch v3.", "catch2", kCatch},
    {"/catch_amalgamated.cpp", "Catch v3.", "", kCatch},
    {"/catch2/catch_all.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/catch_test_macros.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/catch_session.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/catch_approx.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers_all.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers_string.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers_floating_point.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers_vector.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/matchers/catch_matchers_exception.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/generators/catch_generators.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/generators/catch_generators_all.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/generators/catch_generators_range.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/catch2/benchmark/catch_benchmark.hpp", "Copyright Catch2 Authors", "catch2", kCatch},
    {"/doctest.h", "#define DOCTEST_VERSION_MAJOR 2", "doctest", kDoctest},
    {"/boost/test/unit_test.hpp", "BOOST_TEST_UNIT_TEST_HPP", "boost_test", kBoost},
    {"/boost/test/included/unit_test.hpp", "BOOST_INCLUDED_UNIT_TEST_FRAMEWORK_HPP", "boost_test", kBoost},
};

}  // namespace

const FrameworkFile* framework_file(std::string_view path) {
  const auto* found = std::find_if(std::begin(kFrameworkFiles), std::end(kFrameworkFiles),
                                   [&](const FrameworkFile& file) { return path.ends_with(file.ending); });
  return found == std::end(kFrameworkFiles) ? nullptr : found;
}

bool has_framework_name(std::string_view path) {
  return framework_file(path) != nullptr ||
         (path.ends_with(".cpp") && path.find("/src/catch2/") != std::string_view::npos);
}

}  // namespace heddle::frontend
