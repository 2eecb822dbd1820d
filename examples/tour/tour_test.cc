#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "examples/tour/edits.h"
#include "examples/tour/judge.h"

namespace heddle::tour {
namespace {

std::string original(const Example& example, const Edit& edit) {
  std::ifstream stream(std::string(HEDDLE_SOURCE_DIR "/examples/") + example.name + "/" + edit.file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Answer answer(const std::string& verdict, int exit_code, const nlohmann::json& finding) {
  Answer result;
  if (!finding.is_null()) result.events.push_back({1, finding});
  result.events.push_back(
      {2,
       {{"type", "verdict"}, {"verdict", verdict}, {"step", "final"}, {"stats", {{"pairs", 0}, {"executions", 0}}}}});
  result.exit_code = exit_code;
  return result;
}

TEST(Tour, EveryEditFitsTheExampleAndDiffersByRound) {
  for (const Example& example : examples())
    for (const Edit& edit : example.edits) {
      const std::string text = original(example, edit);
      ASSERT_FALSE(text.empty()) << edit.file;
      EXPECT_NE(apply(edit, text, 1), text) << edit.name;
      EXPECT_NE(apply(edit, text, 1), apply(edit, text, 2)) << edit.name;
      EXPECT_THROW(apply(edit, "int x;\n", 1), std::runtime_error);
    }
}

TEST(Tour, TheJudgeWantsTheRuleAtTheLine) {
  const Example example = jobserver();
  const Edit& edit = example.edits[3];
  const std::string text = "a\n  pool->pending--;\n";
  nlohmann::json race = {
      {"type", "finding"}, {"rule", "data-race"}, {"places", {{{"file", "/x/src/pool.c"}, {"line", 2}}}}};
  EXPECT_TRUE(judge(edit, text, answer("findings", 1, race)).empty());
  race["places"][0]["line"] = 1;
  EXPECT_EQ(judge(edit, text, answer("findings", 1, race)).size(), 1u);
  EXPECT_EQ(judge(edit, text, answer("clear", 0, nullptr)).size(), 1u);
}

TEST(Tour, WhatAnEditBreaksMayShowInAnotherFile) {
  const Edit edit = quoteserver().edits.back();
  ASSERT_EQ(edit.elsewhere, "src/main.cc");
  nlohmann::json broken = {
      {"type", "finding"}, {"rule", "assertion"}, {"places", {{{"file", "/x/src/main.cc"}, {"line", 2}}}}};
  EXPECT_TRUE(judge(edit, "", answer("findings", 1, broken)).empty());
  broken["places"][0]["file"] = "/x/src/log.cc";
  EXPECT_EQ(judge(edit, "", answer("findings", 1, broken)).size(), 1u);
}

TEST(Tour, HarmlessEditsExploreNothing) {
  EXPECT_TRUE(judge(jobserver().edits[0], "", answer("clear", 0, nullptr)).empty());
  Answer busy = answer("clear", 0, nullptr);
  busy.events.back().data["stats"]["executions"] = 3;
  EXPECT_EQ(judge(jobserver().edits[0], "", busy).size(), 1u);
}

}  // namespace
}  // namespace heddle::tour
