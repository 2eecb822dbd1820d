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
    {"/doctest.h", "#define DOCTEST_VERSION_MAJOR 2", "doctest", kDoctest},
    {"/boost/test/unit_test.hpp", "BOOST_TEST_UNIT_TEST_HPP", "boost_test", kBoost},
    {"/boost/test/included/unit_test.hpp", "BOOST_INCLUDED_UNIT_TEST_FRAMEWORK_HPP", "boost_test", kBoost},
};
// Any header of Catch2's version 3, and of Boost.Test's datasets. A test includes those that it needs.
constexpr FrameworkFile kBoostData = {"", "BOOST_TEST_DATA_", "boost_data", kBoost};
constexpr FrameworkFile kCatchHeader = {"", "Copyright Catch2 Authors", "catch2", kCatch};

bool is_catch_header(std::string_view path) {
  return path.ends_with(".hpp") && path.find("/catch2/") != std::string_view::npos &&
         !path.ends_with("/catch_user_config.hpp");
}

}  // namespace

const FrameworkFile* framework_file(std::string_view path) {
  const auto* found = std::find_if(std::begin(kFrameworkFiles), std::end(kFrameworkFiles),
                                   [&](const FrameworkFile& file) { return path.ends_with(file.ending); });
  if (found != std::end(kFrameworkFiles)) return found;
  if (path.find("/boost/test/data/") != std::string_view::npos) return &kBoostData;
  return is_catch_header(path) ? &kCatchHeader : nullptr;
}

bool has_framework_name(std::string_view path) {
  return framework_file(path) != nullptr ||
         (path.ends_with(".cpp") && path.find("/src/catch2/") != std::string_view::npos);
}

}  // namespace heddle::frontend
