// Documents from hand-made findings: limits, escaping, columns. tests/editor validates and looks at whole ones.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "client/report_document.h"
#include "client/rules.h"
#include "client/source_text.h"

namespace heddle::client {
namespace {

v1::Finding long_finding(int steps) {
  v1::Finding finding;
  finding.set_rule("data-race");
  finding.set_id("0123456789ab");
  finding.set_message("data race on 'x'");
  v1::Place& place = *finding.add_places();
  place.set_file("/p/a.c");
  place.set_line(3);
  for (int n = 0; n < steps; ++n) {
    v1::TraceStep& step = *finding.add_trace();
    step.set_thread_number(static_cast<uint32_t>(n % 2));
    step.set_thread(n % 2 == 0 ? "main" : "main.0");
    step.set_action("step " + std::to_string(n));
    *step.mutable_place() = place;
  }
  return finding;
}

TEST(Sarif, KeepsBelowAThousandLocationsAndTheEndOfTheInterleaving) {
  Document document;
  document.root = "/p";
  document.findings.push_back(long_finding(3000));
  const auto result = nlohmann::json::parse(sarif_text(document, false))["runs"][0]["results"][0];
  size_t locations = result["locations"].size();
  for (const auto& flow : result["codeFlows"]) {
    for (const auto& thread : flow["threadFlows"]) locations += thread["locations"].size();
  }
  EXPECT_LT(locations, 1000u);
  EXPECT_GT(locations, 800u);
  const auto& interleaved = result["codeFlows"][0]["threadFlows"][0]["locations"];
  EXPECT_EQ(interleaved.back()["location"]["message"]["text"], "main.0: step 2999");
  EXPECT_EQ(interleaved.back()["executionOrder"], 3000);
  EXPECT_EQ(result["codeFlows"][0]["message"]["text"], "The interleaving; the first 2550 steps are left out");
}

TEST(Html, TextOfTheProgramIsOnlyText) {
  Document document;
  document.root = "/p";
  v1::Finding finding = long_finding(2);
  finding.set_message("</script><script>alert(1)</script> & \"quotes\"");
  finding.mutable_trace(0)->set_action("</script><img src=x>");
  document.findings = {finding, long_finding(1)};
  const std::string page = html_text(document);
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_EQ(page.find("<img"), page.npos);
  EXPECT_NE(page.find("&lt;/script&gt;"), page.npos);
  const std::string opening = "id=\"data\">";
  const size_t begin = page.find(opening) + opening.size();
  const auto data = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["traces"][0]["message"], finding.message());
  EXPECT_EQ(data["traces"][0]["steps"][0]["action"], "</script><img src=x>");
}

TEST(Html, FixedFindingsHaveNoInterleavingToShow) {
  Document document;
  document.root = "/p";
  document.verdict.emplace();
  v1::Finding fixed = long_finding(2);
  fixed.set_state(v1::FINDING_FIXED);
  document.findings = {fixed};
  const std::string page = html_text(document);
  EXPECT_NE(page.find("fixed: data race on"), page.npos);
  EXPECT_EQ(page.find("id=\"data\""), page.npos);
}

TEST(SourceText, ColumnsInUtf16) {
  const std::string line = "a\u00e9\U0001F600z";  // 1, 2, 4, 1 bytes; 1, 1, 2, 1 units
  EXPECT_EQ(utf16_column(line, 0), 0u);
  EXPECT_EQ(utf16_column(line, 1), 1u);
  EXPECT_EQ(utf16_column(line, 2), 2u);
  EXPECT_EQ(utf16_column(line, 4), 3u);
  EXPECT_EQ(utf16_column(line, 8), 5u);
  EXPECT_EQ(utf16_column(line, 9), 6u);
  EXPECT_EQ(utf16_column(line, 90), 6u);
}

TEST(Rules, EveryRuleSaysWhatToDoAndAnUnknownOneIsItself) {
  EXPECT_EQ(rule_of("data-race").title, "Data race");
  EXPECT_TRUE(rule_of("leak").warning);
  EXPECT_EQ(rule_of("of-a-newer-engine").title, "of-a-newer-engine");
}

TEST(RelativePath, OnlyBelowTheRoot) {
  EXPECT_EQ(relative_path("/p/a/b.c", "/p"), "a/b.c");
  EXPECT_EQ(relative_path("/pq/b.c", "/p"), "/pq/b.c");
  EXPECT_EQ(relative_path("/p", "/p"), "/p");
  EXPECT_EQ(relative_path("/a.c", "/"), "/a.c");
}

}  // namespace
}  // namespace heddle::client
