// One verdict of several: nothing that one of them says is lost, whichever comes first.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "server/verdict/merge.h"
#include "server/verdict/names.h"

namespace heddle::verdict {
namespace {

v1::Verdict of(v1::VerdictKind kind, const std::string& name) {
  v1::Verdict verdict;
  verdict.set_kind(kind);
  verdict.set_message(name);
  verdict.mutable_scope()->set_summary(name);
  verdict.mutable_scope()->add_limits("limit of " + name);
  verdict.mutable_scope()->add_assumptions("shared");
  verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
  return verdict;
}

// From the best to the worst.
const v1::VerdictKind kKinds[] = {v1::VERDICT_CLEAR, v1::VERDICT_INCONCLUSIVE, v1::VERDICT_FINDINGS, v1::VERDICT_ERROR};

TEST(Merge, TheWorstKindWinsInAnyOrder) {
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      v1::Verdict total = of(kKinds[a], "first");
      merge(total, of(kKinds[b], "second"));
      EXPECT_EQ(total.kind(), kKinds[std::max(a, b)]);
      EXPECT_EQ(total.message(), b > a ? "second" : "first");
      EXPECT_EQ(total.scope().summary(), "first | second");
      EXPECT_EQ(total.scope().limits_size(), 2);
      EXPECT_EQ(total.scope().assumptions_size(), 1);
      EXPECT_EQ(is_worse(kKinds[a], kKinds[b]), a > b);
    }
  }
}

TEST(Merge, AnErrorKeepsItsClass) {
  v1::Verdict error = of(v1::VERDICT_ERROR, "error");
  error.set_error(v1::ERROR_CANCELLED);
  v1::Verdict total = of(v1::VERDICT_FINDINGS, "findings");
  merge(total, error);
  EXPECT_EQ(total.error(), v1::ERROR_CANCELLED);
  merge(error, of(v1::VERDICT_FINDINGS, "findings"));
  EXPECT_EQ(error.error(), v1::ERROR_CANCELLED);
}

TEST(Merge, CountsAreSummed) {
  v1::Verdict total = of(v1::VERDICT_FINDINGS, "a"), part = of(v1::VERDICT_CLEAR, "b");
  for (v1::Verdict* verdict : {&total, &part}) {
    verdict->set_findings(2);
    verdict->set_suppressed(3);
    verdict->add_warnings("unused");
    verdict->add_diagnostics()->set_line(4);
    verdict->mutable_scope()->set_pairs_owed(5);
    verdict->mutable_stats()->set_executions(6);
    verdict->mutable_stats()->set_pairs(7);
    verdict->mutable_stats()->mutable_ms()->set_total(8);
  }
  part.mutable_stats()->mutable_ms()->set_first_finding(9);
  merge(total, part);
  EXPECT_EQ(total.findings(), 4u);
  EXPECT_EQ(total.suppressed(), 6u);
  EXPECT_EQ(total.warnings_size(), 2);
  EXPECT_EQ(total.diagnostics_size(), 2);
  EXPECT_EQ(total.scope().pairs_owed(), 10u);
  EXPECT_EQ(total.stats().executions(), 12u);
  EXPECT_EQ(total.stats().pairs(), 14u);
  EXPECT_EQ(total.stats().ms().total(), 16);
  EXPECT_EQ(total.stats().ms().first_finding(), 9);
}

// A part that could not finish must not disappear behind one that did.
TEST(Merge, TheWorstStateOfEachStepIsKept) {
  v1::Verdict total = of(v1::VERDICT_INCONCLUSIVE, "a"), part = of(v1::VERDICT_INCONCLUSIVE, "b");
  total.mutable_scope()->set_step1(v1::STEP_INCOMPLETE);
  total.mutable_scope()->set_memory_model("rc11");
  part.mutable_scope()->set_step1(v1::STEP_COMPLETE);
  part.mutable_scope()->set_full(v1::STEP_INCOMPLETE);
  part.mutable_scope()->set_memory_model("sc");
  merge(total, part);
  EXPECT_EQ(total.scope().step1(), v1::STEP_INCOMPLETE);
  EXPECT_EQ(total.scope().full(), v1::STEP_INCOMPLETE);
  EXPECT_EQ(total.scope().memory_model(), "sc");
}

TEST(Merge, AnEmptyTotalTakesWhatItGets) {
  v1::Verdict total;
  merge(total, of(v1::VERDICT_FINDINGS, "a"));
  EXPECT_EQ(total.kind(), v1::VERDICT_FINDINGS);
  EXPECT_EQ(total.scope().summary(), "a");
}

TEST(Names, AreThoseOfTheWire) {
  EXPECT_STREQ(name_of(v1::VERDICT_INCONCLUSIVE), "inconclusive");
  EXPECT_STREQ(name_of(v1::STEP_NOT_NEEDED), "not-needed");
  EXPECT_STREQ(name_of(v1::ERROR_NONE), "none");
}

// From a newer daemon.
TEST(Names, ValuesThatAreNotKnownAreNamedAsTheWorst) {
  EXPECT_STREQ(name_of(static_cast<v1::VerdictKind>(99)), "error");
  EXPECT_STREQ(name_of(static_cast<v1::StepState>(99)), "incomplete");
  EXPECT_STREQ(name_of(static_cast<v1::ErrorClass>(99)), "internal");
}

}  // namespace
}  // namespace heddle::verdict
