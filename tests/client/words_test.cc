// Exit codes, the verdict line, numbers, the progress line.
#include <gtest/gtest.h>

#include "client/command_line/options.h"
#include "client/report/exit_code.h"
#include "client/report/harmless_text.h"
#include "client/report/numbers.h"
#include "client/report/progress.h"
#include "client/report/verdict_text.h"
#include "server/text/grouped.h"

namespace heddle::client {
namespace {

v1::Verdict verdict(v1::VerdictKind kind, v1::ErrorClass error = v1::ERROR_NONE) {
  v1::Verdict verdict;
  verdict.set_kind(kind);
  verdict.set_error(error);
  return verdict;
}

TEST(HarmlessText, MovesNoCursor) {
  EXPECT_EQ(harmless("caf\xc3\xa9: a\tb\n"), "caf\xc3\xa9: a\tb\n");
  EXPECT_EQ(harmless("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(harmless("a\rb\x7f\a"), "a\\x0db\\x7f\\x07");
  EXPECT_EQ(harmless("\xc2\x9b"
                     "31m"),
            "\\x9b31m")
      << "a C1 control introduces a sequence, too";
}

TEST(HarmlessText, NowhereInAMessage) {
  v1::Event event;
  event.set_target("\x1b]0;title\x07");
  v1::Finding& finding = *event.mutable_finding();
  finding.add_places()->set_file("esc\x1b[2J.c");
  finding.add_visible("\r");
  make_harmless(event);
  EXPECT_EQ(event.target(), "\\x1b]0;title\\x07");
  EXPECT_EQ(finding.places(0).file(), "esc\\x1b[2J.c");
  EXPECT_EQ(finding.visible(0), "\\x0d");
}

// These numbers are promised to scripts: they never change.
TEST(ExitCode, IsFixed) {
  const auto code = [](const v1::Verdict& verdict, OnInconclusive policy = OnInconclusive::Fail) {
    return static_cast<int>(exit_code(verdict, policy));
  };
  EXPECT_EQ(code(verdict(v1::VERDICT_CLEAR)), 0);
  EXPECT_EQ(code(verdict(v1::VERDICT_FINDINGS)), 1);
  EXPECT_EQ(code(verdict(v1::VERDICT_FINDINGS), OnInconclusive::Pass), 1);
  EXPECT_EQ(code(verdict(v1::VERDICT_ERROR, v1::ERROR_USAGE)), 2);
  EXPECT_EQ(code(verdict(v1::VERDICT_INCONCLUSIVE)), 3);
  EXPECT_EQ(code(verdict(v1::VERDICT_INCONCLUSIVE), OnInconclusive::Pass), 0);
  EXPECT_EQ(code(verdict(v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED)), 3);
  EXPECT_EQ(code(verdict(v1::VERDICT_ERROR, v1::ERROR_BUILD)), 4);
  EXPECT_EQ(code(verdict(v1::VERDICT_ERROR, v1::ERROR_BUILD), OnInconclusive::Pass), 4);
  EXPECT_EQ(code(verdict(v1::VERDICT_ERROR, v1::ERROR_INTERNAL)), 5);
  EXPECT_EQ(code(verdict(v1::VERDICT_ERROR)), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::Interrupted), 130);
}

v1::Verdict explored() {
  v1::Verdict clear = verdict(v1::VERDICT_CLEAR);
  v1::Scope& scope = *clear.mutable_scope();
  scope.set_pairs_explored(3);
  scope.set_pairs_reused(1);
  scope.set_pairs_skipped(2);
  scope.set_step1(v1::STEP_COMPLETE);
  scope.set_step2(v1::STEP_COMPLETE);
  scope.set_compared_with("the version verified 2 minutes ago");
  clear.mutable_stats()->set_executions(1234);
  clear.mutable_stats()->mutable_ms()->set_total(18.2);
  return clear;
}

TEST(VerdictWords, NameItsScope) {
  v1::Verdict clear = explored();
  EXPECT_EQ(
      verdict_words(clear),
      "nothing found within scope: 3 pairs explored, 1 reused, 2 skipped; steps 1 and 2 complete; compared with the "
      "version verified 2 minutes ago; 1,234 interleavings; 18 ms");
  clear.mutable_scope()->set_step2(v1::STEP_INCOMPLETE);
  EXPECT_NE(verdict_words(clear).find("step 1 complete, step 2 incomplete"), std::string::npos);
}

TEST(VerdictWords, DoNotRepeatTheLimits) {
  v1::Verdict cut = verdict(v1::VERDICT_INCONCLUSIVE);
  cut.mutable_scope()->add_limits("pair a / b: stopped");
  cut.mutable_scope()->add_limits("pair a / c: stopped");
  cut.set_message(
      "not everything was explored: pair a / b: stopped; pair a / c: stopped; --time-limit gives it more time");
  EXPECT_EQ(verdict_words(cut), "inconclusive: not everything was explored: --time-limit gives it more time");
  cut.set_message("not everything was explored: pair a / b: stopped; pair a / c: stopped");
  EXPECT_EQ(verdict_words(cut), "inconclusive: not everything was explored");
}

// What matters most stays where not all of it fits.
TEST(VerdictLine, HasRoomForWhatMattersMost) {
  v1::Verdict clear = explored();
  EXPECT_EQ(verdict_line(clear, "", Style{}),
            "nothing found within scope: 4 pairs; step 2 complete; base: verified 2 minutes ago; 18 ms");
  clear.mutable_stats()->set_fragments(2);
  EXPECT_EQ(verdict_line(clear, "server", Style{}),
            "server: nothing found within scope: 4 pairs; step 2 complete; base: verified 2 minutes ago; 18 ms");
  clear.mutable_scope()->set_compared_with("nothing: first check");
  clear.mutable_scope()->set_everything(true);
  EXPECT_EQ(verdict_line(clear, "", Style{}),
            "nothing found within scope: whole program; 4 pairs; all interleavings; first check; 18 ms");
  clear.mutable_scope()->set_pairs_owed(2);
  EXPECT_NE(verdict_line(clear, "", Style{}).find("2 pairs owed"), std::string::npos);
  clear.mutable_scope()->set_weak(v1::STEP_INCOMPLETE);
  EXPECT_NE(verdict_line(clear, "", Style{}).find("all interleavings; weaker memory orders in part"),
            std::string::npos);
}

// Names give way to the reason, and a test case's program to its name.
TEST(VerdictLine, LongNamesGiveWay) {
  v1::Verdict cut = verdict(v1::VERDICT_INCONCLUSIVE);
  const std::string worker = "tp::Worker<tp::FixedFunction<void ()>, tp::Queue>::threadFunc";
  cut.mutable_scope()->add_limits("pair " + worker + " / another " + worker + ": stopped at its time limit (10.0 s)");
  EXPECT_EQ(verdict_line(cut, "tests/thread_pool.t:ThreadPool.postJob", Style{}),
            "ThreadPool.postJob: inconclusive: stopped at its time limit (10.0 s)");
  cut.mutable_scope()->set_limits(0, "pair a / b: stopped at its time limit (10.0 s)");
  EXPECT_EQ(verdict_line(cut, "pool_test:Pool.Waits", Style{}),
            "pool_test:Pool.Waits: inconclusive: pair a / b: stopped at its time limit (10.0 s)");
  EXPECT_EQ(verdict_line(cut, "tests/pool_test:pool::add waits for pool::take", Style{}),
            "pool::add waits for pool::take: inconclusive: pair a / b: stopped at its time limit (10.0 s)");
  const std::pair<const char*, const char*> explained[] = {
      {"VectorKeyTest.cpp does not compile: whether it is a program of its own is not known, as nothing else says so",
       "VectorKeyTest.cpp does not compile"},
      {"main starts no thread as it is run here: `arguments` and `stdin` in .heddle.yaml say what it is given",
       "main starts no thread as it is run here"},
      {"all interleavings: the explorer reached its memory limit of 2,048 MB, which is a lot, after 0 interleavings",
       "the explorer reached its memory limit of 2,048 MB, which is a lot, after 0 interl..."},
      {"the end of the process while other threads can act: they act first here, whatever they do (detach.cc:13)",
       "the end of the process while other threads can act (detach.cc:13)"},
  };
  for (const auto& [limit, line] : explained) {
    cut.mutable_scope()->set_limits(0, limit);
    EXPECT_EQ(verdict_line(cut, "", Style{}), std::string("inconclusive: ") + line);
  }
}

TEST(VerdictLine, SaysWhatWentWrong) {
  v1::Verdict broken = verdict(v1::VERDICT_ERROR, v1::ERROR_BUILD);
  broken.set_message("compile errors in a.c; nothing changed in the ledger");
  EXPECT_EQ(verdict_line(broken, "", Style{}), "build error: compile errors in a.c");
  EXPECT_EQ(verdict_reasons(broken, Style{}), "  compile errors in a.c; nothing changed in the ledger\n");
  broken.set_message("1 file does not compile");
  EXPECT_EQ(verdict_line(broken, "", Style{}), "build error: 1 file does not compile");
  EXPECT_EQ(verdict_reasons(broken, Style{}), "");
  v1::Verdict cut = verdict(v1::VERDICT_INCONCLUSIVE);
  cut.set_message("the time limit was reached");
  EXPECT_EQ(verdict_line(cut, "server", Style{}), "server: inconclusive: the time limit was reached");
  cut.mutable_scope()->add_limits("step 2: stopped");
  cut.mutable_scope()->add_assumptions("nothing");
  EXPECT_EQ(verdict_line(cut, "", Style{}), "inconclusive: step 2: stopped");
  EXPECT_EQ(verdict_reasons(cut, Style{}), "  limit: step 2: stopped\n");
  EXPECT_EQ(verdict_notes(cut, Style{}), "  1 limit, 1 assumption: --verbose lists them\n");
  cut.mutable_scope()->clear_assumptions();
  EXPECT_EQ(verdict_notes(cut, Style{}), "  1 limit: --verbose lists it\n");
  cut.set_message("clear with up to 2 preemptive switches; not everything could be explored: step 2: stopped");
  EXPECT_EQ(verdict_reasons(cut, Style{}),
            "  so far: clear with up to 2 preemptive switches\n  limit: step 2: stopped\n");
  EXPECT_EQ(verdict_details(cut, Style{}).substr(0, 49), "  so far: clear with up to 2 preemptive switches\n");
}

// What limits an answer that is not inconclusive is said, too: weaker memory orders in part, missing arguments.
TEST(VerdictReasons, SayWhatWasLeftOutOfAnAnswer) {
  v1::Verdict clear = verdict(v1::VERDICT_CLEAR);
  clear.mutable_scope()->add_limits("under rc11: a loop");
  clear.mutable_scope()->add_assumptions("the program is given no arguments: `arguments` in .heddle.yaml names some");
  EXPECT_EQ(verdict_reasons(clear, Style{}), "");
  clear.mutable_scope()->set_weak(v1::STEP_INCOMPLETE);
  EXPECT_EQ(verdict_reasons(clear, Style{}), "  limit: under rc11: a loop\n");
  v1::Verdict wrong = verdict(v1::VERDICT_FINDINGS);
  *wrong.mutable_scope() = clear.scope();
  EXPECT_EQ(verdict_reasons(wrong, Style{}),
            "  limit: under rc11: a loop\n"
            "  assumed: the program is given no arguments: `arguments` in .heddle.yaml names some\n");
}

// A base that was given is named from the current folder, and by its end.
TEST(VerdictLine, NamesTheGivenBase) {
  Style style;
  style.current_directory = "/src/project";
  v1::Verdict clear = verdict(v1::VERDICT_CLEAR);
  for (const auto& [base, words] : std::vector<std::pair<std::string, std::string>>{
           {"/src/project/old.c", "base: old.c"},
           {"/src/old/queue.c", "base: ../old/queue.c"},
           {"/tmp/q.c", "base: /tmp/q.c"},
           {"/srv/" + std::string(60, 'x') + "/old/queue.c", "base: ..." + std::string(25, 'x') + "/old/queue.c"}}) {
    clear.mutable_scope()->set_compared_with("--base " + base);
    EXPECT_NE(verdict_line(clear, "", style).find(words), std::string::npos) << verdict_line(clear, "", style);
  }
}

// Whatever it has to say.
TEST(VerdictLine, HasAtMostAHundredColumns) {
  const std::string text(300, 'x');
  Style coloured;
  coloured.colour = true;
  for (const v1::VerdictKind kind :
       {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS, v1::VERDICT_INCONCLUSIVE, v1::VERDICT_ERROR}) {
    for (const std::string& target : {std::string(), std::string("server"), text}) {
      for (const std::string& base : {std::string("nothing: first check"), std::string("--base ") + text,
                                      std::string("the version explored in part 119 seconds ago")}) {
        v1::Verdict large = verdict(kind);
        v1::Scope& scope = *large.mutable_scope();
        scope.set_compared_with(base);
        scope.set_step2(v1::STEP_INCOMPLETE);
        scope.set_pairs_explored(1234567);
        scope.set_pairs_owed(1234567);
        large.set_findings(1234567);
        large.set_consequences(234567);
        large.set_not_confirmed(1234567);
        large.set_suppressed(1234567);
        large.mutable_stats()->set_executions(123456789012);
        large.mutable_stats()->set_fragments(1234567);
        large.mutable_stats()->mutable_ms()->set_total(3.7e6);
        large.set_message("\xc3\xa4" + text);
        const std::string line = verdict_line(large, target, Style{});
        EXPECT_LE(display_width(line), 100u) << line;
        EXPECT_GT(display_width(line), 40u) << line;
        EXPECT_EQ(display_width(verdict_line(large, target, coloured)), display_width(line));
      }
    }
  }
}

TEST(VerdictDetails, ListAssumptionsAndUnknownFunctions) {
  v1::Verdict clear = verdict(v1::VERDICT_CLEAR);
  clear.mutable_scope()->add_assumptions("read() returns what was never written");
  clear.mutable_scope()->add_limits("/p/a.c:3: gave up");
  v1::UnknownExternal& unknown = *clear.mutable_scope()->add_unknown_externals();
  unknown.set_name("frobnicate");
  unknown.set_calls(2);
  unknown.add_places()->set_file("/p/a.c");
  unknown.mutable_places(0)->set_line(7);
  v1::UnknownExternal& variable = *clear.mutable_scope()->add_unknown_externals();
  variable.set_name("firmware");
  variable.set_calls(1);
  variable.set_variable(true);
  Style style;
  style.current_directory = "/p";
  EXPECT_EQ(
      verdict_details(clear, style),
      "  limit: a.c:3: gave up\n"
      "  unknown: frobnicate(), called 2 times at a.c:7; `models` or `unknown-externals` in .heddle.yaml say what it "
      "does\n"
      "  unknown: firmware, a variable, used 1 time; `models` or `unknown-externals` in .heddle.yaml say what it does\n"
      "  assumed: read() returns what was never written\n");
}

TEST(Numbers, ReadWell) {
  EXPECT_EQ(text::grouped(0), "0");
  EXPECT_EQ(text::grouped(999), "999");
  EXPECT_EQ(text::grouped(1234567), "1,234,567");
  EXPECT_EQ(duration_text(0.84), "0.8 ms");
  EXPECT_EQ(duration_text(34.4), "34 ms");
  EXPECT_EQ(duration_text(1250), "1.25 s");
  EXPECT_EQ(duration_text(125'000), "2 min 5 s");
  EXPECT_EQ(counted(1, "pair"), "1 pair");
  EXPECT_EQ(counted(2, "switch", "switches"), "2 switches");
  EXPECT_EQ(age_text(1000, 121'000), "2 minutes ago");
  EXPECT_EQ(age_text(0, 1'999), "just now");
  EXPECT_EQ(age_text(9'000, 0), "just now");
  EXPECT_EQ(age_text(0, 119'000), "119 seconds ago");
  EXPECT_EQ(age_text(0, 7'199'000), "119 minutes ago");
  EXPECT_EQ(age_text(0, 172'799'000), "47 hours ago");
  EXPECT_EQ(age_text(0, int64_t{86'400'000} * 1234), "1,234 days ago");
}

TEST(Progress, FitsTheTerminal) {
  Style style;
  for (unsigned width = 20; width < 120; width += 7) {
    style.width = width;
    EXPECT_LE(display_width(Progress::line("exploring", 3, 8, 123456, 12.3, style)), width);
  }
  style.width = 100;
  EXPECT_EQ(Progress::line("exploring", 3, 8, 1234, 1.25, style),
            "exploring  #######.............  3/8 pairs  1,234 interleavings  1.2 s");
}

TEST(Style, PathsAreRelativeBelowTheCurrentFolder) {
  Style style;
  style.current_directory = "/home/me/p";
  EXPECT_EQ(style.path("/home/me/p/src/a.c"), "src/a.c");
  EXPECT_EQ(style.path("/home/me/pp/a.c"), "/home/me/pp/a.c");
  EXPECT_EQ(style.path("/usr/include/stdio.h"), "/usr/include/stdio.h");
}

TEST(Options, TakeEverythingAfterTwoDashes) {
  Options options;
  int code = -1;
  const char* arguments[] = {"heddle",         "check",        "a.c",   "--plain-accesses=visible",
                             "--format=jsonl", "--time-limit", "2.5",   "-p",
                             "build",          "--",           "-DX=1", "--full"};
  ASSERT_TRUE(parse_options(12, arguments, options, code));
  EXPECT_EQ(options.command, Command::Check);
  EXPECT_EQ(options.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(options.plain_accesses, v1::PLAIN_ACCESSES_VISIBLE);
  EXPECT_EQ(options.format, Format::Jsonl);
  EXPECT_EQ(options.time_limit_seconds, 2.5);
  EXPECT_EQ(options.database_directory, "build");
  EXPECT_EQ(options.flags, (std::vector<std::string>{"-DX=1", "--full"}));
  EXPECT_FALSE(options.full);
}

}  // namespace
}  // namespace heddle::client
