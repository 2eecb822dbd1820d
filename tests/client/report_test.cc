// Documents from hand-made findings: limits, escaping, columns. tests/editor validates and looks at whole ones.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "client/report/pairs_text.h"
#include "client/report/report.h"
#include "client/report/report_document.h"
#include "client/report/rules.h"
#include "client/report/source_text.h"
#include "client/report/status_text.h"
#include "server/verdict/background.h"

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

std::string printed(ReportOptions options, const std::vector<v1::Event>& events) {
  char* bytes = nullptr;
  size_t size = 0;
  options.out = open_memstream(&bytes, &size);
  Progress progress(options.style, false);
  {
    const std::unique_ptr<Report> report = make_text_report(options, progress);
    for (const v1::Event& event : events) report->event(event);
    report->flush();
  }
  std::fclose(options.out);
  const std::string text(bytes, size);
  std::free(bytes);
  return text;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

// One forgotten lock may be a race on every field: the first interleavings say what is wrong.
TEST(Text, ManyFindingsOfOneCheckAreNotAllPrintedWithTheirInterleaving) {
  std::vector<v1::Event> events(5);
  for (size_t n = 0; n < events.size(); ++n) {
    *events[n].mutable_finding() = long_finding(2);
    events[n].mutable_finding()->set_id("0123456789a" + std::to_string(n));
  }
  ReportOptions options;
  const std::string text = printed(options, events);
  EXPECT_EQ(count_of(text, "error: data race"), 5u);
  EXPECT_EQ(count_of(text, "step 1"), 3u) << text;
  EXPECT_EQ(count_of(text, "see `heddle show 0123456789a"), 2u) << text;
  options.all_steps = true;
  EXPECT_EQ(count_of(printed(options, events), "step 1"), 5u);
}

// One defect: the race, with what it leads to in a line each; mended together, told once.
// Who replays one finding has asked for its interleaving, not for those of the others that it runs through.
TEST(Text, AReplayShowsTheInterleavingOfTheFindingThatWasAskedFor) {
  std::vector<v1::Event> events(3);
  for (size_t n = 0; n < events.size(); ++n) {
    *events[n].mutable_finding() = long_finding(2);
    events[n].mutable_finding()->set_id(std::to_string(n) + "123456789ab");
  }
  for (const char* asked : {"1", "1123456789ab"}) {
    ReportOptions options;
    options.all_steps = true;
    options.replayed = asked;
    const std::string text = printed(options, events);
    EXPECT_EQ(count_of(text, "step 1"), 1u) << text;
    EXPECT_EQ(count_of(text, ": error: "), 1u) << text;
    EXPECT_NE(text.find("the interleaving also shows: data race on 'x' [data-race] `heddle show 2123456789ab`\n"),
              text.npos)
        << text;
  }
}

TEST(Text, WhatAFindingLeadsToIsALine) {
  std::vector<v1::Event> events(3);
  *events[0].mutable_finding() = long_finding(2);
  v1::Finding& leads = *events[1].mutable_finding();
  leads = long_finding(2);
  leads.set_id("ba9876543210");
  leads.set_rule("assertion");
  leads.set_message("assertion 'x' failed");
  leads.add_follows_from("0123456789ab");
  v1::Verdict& verdict = *events[2].mutable_verdict();
  verdict.set_kind(v1::VERDICT_FINDINGS);
  verdict.set_step("final");
  verdict.set_findings(2);
  verdict.set_consequences(1);
  ReportOptions options;
  std::string text = printed(options, events);
  EXPECT_EQ(count_of(text, "error:"), 1u) << text;
  EXPECT_NE(text.find("/p/a.c:3: note: finding 0123456789ab leads to: assertion 'x' failed [assertion] "
                      "`heddle show ba9876543210`\n"),
            text.npos)
      << text;
  EXPECT_EQ(count_of(text, "step 1"), 1u) << text;
  EXPECT_NE(text.find("1 finding, also seen at 1 place"), text.npos) << text;
  options.all_steps = true;
  EXPECT_EQ(count_of(printed(options, events), "step 1"), 2u) << "shown by its id";
  options.all_steps = false;
  for (int n = 0; n < 2; ++n) events[static_cast<size_t>(n)].mutable_finding()->set_state(v1::FINDING_FIXED);
  EXPECT_EQ(count_of(printed(options, events), "fixed:"), 1u);
  events[0].mutable_finding()->set_state(v1::FINDING_STILL_THERE);
  EXPECT_EQ(count_of(printed(options, events), "fixed:"), 1u) << "it alone";
}

TEST(Sarif, WhatAFindingLeadsToIsAPlaceOfIt) {
  Document document;
  document.root = "/p";
  document.findings = {long_finding(1), long_finding(1)};
  document.findings[1].set_id("ba9876543210");
  document.findings[1].add_follows_from("0123456789ab");
  const auto results = nlohmann::json::parse(sarif_text(document, false))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["relatedLocations"][0]["message"]["text"], "leads to: data race on 'x' (ba9876543210)");
  document.findings[0].set_state(v1::FINDING_FIXED);  // it stands for nothing any more
  const auto alone = nlohmann::json::parse(sarif_text(document, false))["runs"][0]["results"];
  ASSERT_EQ(alone.size(), 2u);
  EXPECT_EQ(alone[0]["level"], "note");
  EXPECT_EQ(alone[0]["message"]["text"], "the race 0123456789ab leads to: data race on 'x'");
  EXPECT_EQ(alone[0]["properties"]["followsFrom"], nlohmann::json::array({"0123456789ab"}));
}

v1::Finding member(const std::string& id, const std::string& group, v1::FindingState state) {
  v1::Finding finding = long_finding(1);
  finding.set_id(id);
  finding.set_group(group);
  finding.set_state(state);
  finding.set_message("data race on '" + id + "'");
  return finding;
}

// Heard in any order: what is new comes first, and the others of a defect below the one that stands for it.
TEST(Text, OneDefectIsOneFinding) {
  std::vector<v1::Event> events(6);
  *events[0].mutable_finding() = member("old2", "old1", v1::FINDING_STILL_THERE);
  *events[1].mutable_finding() = member("old1", "old1", v1::FINDING_STILL_THERE);
  *events[2].mutable_finding() = member("new1", "new1", v1::FINDING_NEW);
  *events[3].mutable_finding() = member("new2", "new2", v1::FINDING_NEW);
  *events[4].mutable_finding() = member("new2", "new1", v1::FINDING_NEW);  // told again
  v1::Verdict& verdict = *events[5].mutable_verdict();
  verdict.set_kind(v1::VERDICT_FINDINGS);
  verdict.set_step("final");
  verdict.set_findings(4);
  verdict.set_grouped(2);
  verdict.set_introduced(1);
  ReportOptions options;
  const std::string text = printed(options, events);
  EXPECT_EQ(count_of(text, "error:"), 2u) << text;
  const std::vector<std::string> order = {
      "error: data race on 'new1'", "finding new1 is also seen here: data race on 'new2'", "error: data race on 'old1'",
      "finding old1 is also seen here: data race on 'old2'", "2 findings (1 new), also seen at 2 places"};
  size_t at = 0;
  for (const std::string& part : order) {
    const size_t found = text.find(part);
    ASSERT_NE(found, text.npos) << part << "\n" << text;
    EXPECT_GE(found, at) << part;
    at = found;
  }
  options.only_new = true;
  EXPECT_EQ(count_of(printed(options, events), "data race on 'old"), 0u);
  options.only_new = false;
  options.quiet = true;
  EXPECT_EQ(count_of(printed(options, events), "\n"), 3u);
}

TEST(Text, OtherPlacesOfADefectThatReadAlikeAreToldOnce) {
  std::vector<v1::Event> events(3);
  *events[0].mutable_finding() = member("new1", "new1", v1::FINDING_NEW);
  for (size_t n = 1; n < events.size(); ++n) {
    *events[n].mutable_finding() = member("also" + std::to_string(n), "new1", v1::FINDING_NEW);
    events[n].mutable_finding()->set_message("data race on 'entries'");
  }
  const std::string text = printed({}, events);
  EXPECT_EQ(count_of(text, "is also seen here"), 1u) << text;
  events[2].mutable_finding()->set_message("data race on 'entries': add writes it here while take reads it");
  EXPECT_EQ(count_of(printed({}, events), "is also seen here"), 1u) << "at one place";
  events[2].mutable_finding()->mutable_places(0)->set_line(778);
  EXPECT_EQ(count_of(printed({}, events), "is also seen here"), 2u) << "at two";
  events[2].mutable_finding()->set_message("data race on 'size'");
  EXPECT_EQ(count_of(printed({}, events), "is also seen here"), 2u);
}

// Test cases that share code each find its error.
TEST(Text, OneDefectOfSeveralProgramsIsShownOnce) {
  std::vector<v1::Event> events(6);
  for (int n = 0; n < 5; ++n) {
    v1::Finding& finding = *events[static_cast<size_t>(n)].mutable_finding();
    finding = member("id" + std::to_string(n), "id" + std::to_string(n), v1::FINDING_NEW);
    finding.set_rule("lock-misuse");
    finding.set_target("case" + std::to_string(n));
  }
  events[4].mutable_finding()->mutable_places(0)->set_line(777);  // another defect
  events.insert(events.begin() + 4, events[3]);  // a template instance in the same program, which says nothing more
  events[4].mutable_finding()->set_id("instance");
  v1::Verdict& verdict = *events[6].mutable_verdict();
  verdict.set_kind(v1::VERDICT_FINDINGS);
  verdict.set_step("final");
  verdict.set_findings(6);
  verdict.set_grouped(1);
  verdict.set_introduced(5);
  ReportOptions options;
  const std::string text = printed(options, events);
  EXPECT_EQ(count_of(text, "error:"), 2u) << text;
  EXPECT_EQ(count_of(text, "is also seen here"), 0u) << text;
  EXPECT_NE(text.find("note: finding id0 is also in 3 other programs: case1, case2, case3\n"), text.npos) << text;
  EXPECT_NE(text.find("2 findings, also seen at 4 places"), text.npos) << text;
  options.quiet = true;
  EXPECT_EQ(count_of(printed(options, events), "\n"), 3u);
  options.all_steps = true;
  options.quiet = false;
  EXPECT_EQ(count_of(printed(options, events), "error:"), 6u);
}

TEST(Sarif, OneDefectIsOneResult) {
  Document document;
  document.root = "/p";
  document.findings = {member("b", "a", v1::FINDING_NEW), member("a", "a", v1::FINDING_NEW),
                       member("c", "c", v1::FINDING_NEW)};
  const auto results = nlohmann::json::parse(sarif_text(document, false))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["partialFingerprints"]["heddleFinding/v1"], "a");
  EXPECT_EQ(results[0]["relatedLocations"][0]["message"]["text"], "also seen: data race on 'b' (b)");
  EXPECT_EQ(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 3);
  EXPECT_EQ(results[1]["partialFingerprints"]["heddleFinding/v1"], "c");
}

TEST(Sarif, NotesNameNoFolderOfTheAuthor) {
  Document document;
  document.root = "/p/q";
  document.verdict.emplace();
  v1::Scope& scope = *document.verdict->mutable_scope();
  scope.add_limits("calls 'frob', which the project does not define (/p/q/a.c:3), on 5 paths");
  v1::UnknownExternal& external = *scope.add_unknown_externals();
  external.set_name("frob");
  external.set_calls(1);
  const auto notes =
      nlohmann::json::parse(sarif_text(document, false))["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0]["message"]["text"], "limit: calls 'frob', which the project does not define (a.c:3), on 5 paths");
  EXPECT_EQ(notes[1]["message"]["text"], "unknown function frob(), called 1 time");
}

// Of an earlier version, neither seen again nor excluded: no error anywhere.
TEST(NotConfirmed, DoesNotReadLikeWhatWasSeen) {
  Document document;
  document.root = "/p";
  document.findings = {long_finding(1), long_finding(1)};
  document.findings[1].set_id("ba9876543210");
  document.findings[1].set_state(v1::FINDING_NOT_CONFIRMED);
  const auto results = nlohmann::json::parse(sarif_text(document, false))["runs"][0]["results"];
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[1]["kind"], "open");
  EXPECT_EQ(results[1]["level"], "none");
  EXPECT_NE(html_text(document).find("not confirmed"), std::string::npos);
  std::vector<v1::Event> events(1);
  *events[0].mutable_finding() = document.findings[1];
  const std::string text = printed({}, events);
  EXPECT_EQ(count_of(text, "error:"), 0u) << text;
  EXPECT_EQ(count_of(text, "step 1"), 0u) << text;
  EXPECT_EQ(count_of(text, "note: not confirmed"), 1u) << text;
}

TEST(Text, AFragmentIsSaidToBeWhatItIsOnce) {
  std::vector<v1::Event> events(1);
  v1::Fragment& fragment = *events[0].mutable_diffed()->add_fragments();
  fragment.set_kind("deleted");
  fragment.set_description("deleted: signal of full");
  fragment.set_function("push");
  const std::string text = printed({}, events);
  EXPECT_TRUE(text.starts_with("deleted: signal of full in push()")) << text;
}

// A line for what was edited; one for all that it affects elsewhere.
TEST(Text, WhatAnEditAffectsIsOneLineBelowIt) {
  std::vector<v1::Event> events(1);
  for (const char* const function : {"take", "put", "take", "size", "clear", "swap"}) {
    v1::Fragment& fragment = *events[0].mutable_diffed()->add_fragments();
    fragment.set_kind("changed");
    fragment.set_description("affected: lock of m");
    fragment.set_function(function);
  }
  v1::Fragment& edited = *events[0].mutable_diffed()->add_fragments();
  edited.set_kind("changed");
  edited.set_description("changed: write of x");
  edited.set_function("push");
  EXPECT_EQ(printed({}, events),
            "changed: write of x in push()\n"
            "affected: 6 places in take(), put(), size(), clear() and 1 more (see `heddle pairs`)\n");
}

// However many threads there are, and however long their names.
TEST(Text, ThePairsAreOneLineOfAtMostAHundredColumns) {
  v1::Event event;
  v1::Diffed& diffed = *event.mutable_diffed();
  diffed.set_everything(true);
  diffed.add_widened("there is no earlier version to compare with: everything is new");
  for (int n = 0; n < 18; ++n) {
    v1::Pair& pair = *diffed.add_pairs();
    pair.set_chosen(true);
    pair.set_modified("lambda at counter.cc:" + std::to_string(n));
    pair.set_other("another lambda at counter.cc:8");
  }
  event.set_target("counter:adds twice");
  const std::string text = diffed_text(diffed, event.target(), {});
  EXPECT_EQ(text,
            "changed (counter:adds twice): everything: there is no earlier version to compare with\n"
            "pairs (counter:adds twice): lambda at counter.cc:0 x another lambda at counter.cc:8 and 17 more\n");
  diffed.clear_pairs();
  for (const char* other : {"a", "b", "c"}) {
    v1::Pair& pair = *diffed.add_pairs();
    pair.set_chosen(true);
    pair.set_modified("main");
    pair.set_other(other);
  }
  EXPECT_EQ(diffed_text(diffed, "", {}).substr(65), "pairs: main x a, main x b, main x c\n");
}

// What is remembered of a verdict is its scope, in 200 columns; a line of `heddle status` says what is open.
TEST(Status, AProjectIsOneShortLine) {
  v1::StatusResponse response;
  v1::ProjectStatus& project = *response.add_projects();
  project.set_root("/");
  project.set_responsive(true);
  project.set_phase("idle");
  project.set_last_verdict("1 changed fragment; 3 pairs explored, 1 skipped; step 2 complete (all interleavings)");
  project.set_complete(true);
  const auto line = [&] {
    const std::string text = projects_text(response, {}, 0);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(line(), "  /: nothing open");
  project.set_open_findings(2);
  project.set_last_verdict("findings");
  EXPECT_EQ(line(), "  /: 2 open findings");
  project.set_phase("step1");
  EXPECT_EQ(line(), "  /: exploring pairs of threads");
}

// What an engine does that no client waits for, with its target and its part.
TEST(Status, WorkInTheBackgroundIsSaid) {
  v1::StatusResponse response;
  v1::ProjectStatus& project = *response.add_projects();
  project.set_root("/");
  project.set_responsive(true);
  project.set_last_verdict("inconclusive");
  project.set_pairs_owed(2);
  project.set_phase(verdict::phase_of({"full", "my queue"}));
  const std::string line = projects_text(response, {}, 0);
  EXPECT_EQ(line.substr(0, line.find('\n')),
            "  /: inconclusive, 2 pairs owed, exploring further while idle: my queue, exploring every interleaving");
  EXPECT_EQ(project_text(project, {}, 0)
                .find("/\n  phase:          exploring further while idle: my queue, "
                      "exploring every interleaving\n"),
            0u);
  project.set_phase("step1");
  EXPECT_EQ(projects_text(response, {}, 0).substr(0, 57), "  /: exploring pairs of threads, 2 pairs owed\n  (`heddle ");
}

// No engine runs, and nothing was checked in this daemon's time: what is open is on the disk, and was not read.
TEST(Status, WhatWasNotLookedAtIsNotNothing) {
  v1::ProjectStatus project;
  project.set_root("/p");
  project.set_responsive(true);
  project.set_phase("idle");
  const std::string text = project_text(project, {}, 0);
  EXPECT_NE(text.find("open findings:  not checked since the daemon started: `heddle show`"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("complete:"), std::string::npos) << text;
  project.set_engine_pid(7);
  EXPECT_NE(project_text(project, {}, 0).find("open findings:  0\n"), std::string::npos);
  project.set_engine_pid(0);
  project.set_last_verdict("clear");
  EXPECT_NE(project_text(project, {}, 0).find("open findings:  0\n"), std::string::npos);
}

TEST(Status, LatenciesAreInWords) {
  v1::ProjectStatus project;
  project.set_root("/p");
  project.set_responsive(true);
  project.set_phase("idle");
  project.set_last_verdict("clear");
  for (const char* const name :
       {"compile", "analyse", "diff", "explore", "step1", "step2", "first_finding", "total", "of-a-newer-daemon"}) {
    v1::PhaseLatency& phase = *project.add_latency();
    phase.set_phase(name);
    phase.set_p50_ms(2);
    phase.set_p95_ms(1500);
    phase.set_count(3);
  }
  const std::string text = project_text(project, {}, 0);
  EXPECT_EQ(text.substr(text.find("  latency")),
            "  latency                median       95th  checks\n"
            "  compiling              2.0 ms     1.50 s       3\n"
            "  analysing              2.0 ms     1.50 s       3\n"
            "  comparing              2.0 ms     1.50 s       3\n"
            "  exploring              2.0 ms     1.50 s       3\n"
            "  until step 1 ends      2.0 ms     1.50 s       3\n"
            "  until step 2 ends      2.0 ms     1.50 s       3\n"
            "  until a finding        2.0 ms     1.50 s       3\n"
            "  until the verdict      2.0 ms     1.50 s       3\n"
            "  of-a-newer-daemon      2.0 ms     1.50 s       3\n");
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
