// What counts as a proof of a fix: which verdicts of its trial.
#include "client/fix/proof.h"

#include <gtest/gtest.h>

namespace heddle::client::fix {
namespace {

// Answers each check with one verdict.
class OneVerdict final : public Backend {
 public:
  explicit OneVerdict(v1::Verdict verdict) : verdict_(std::move(verdict)) {}
  std::optional<Failure> check(const v1::CheckRequest& request, const EventHandler& handler) override {
    EXPECT_TRUE(request.trial());
    v1::Event event;
    *event.mutable_verdict() = verdict_;
    event.mutable_verdict()->set_step("final");
    handler(event);
    return std::nullopt;
  }
  std::optional<Failure> watch(const v1::CheckRequest&, const EventHandler&) override { return Failure{}; }
  std::optional<Failure> replay(const v1::ReplayRequest&, const EventHandler&) override { return Failure{}; }
  std::variant<v1::ShowResponse, Failure> show(const v1::ShowRequest&) override { return Failure{}; }
  std::variant<v1::PairsResponse, Failure> pairs(const v1::PairsRequest&) override { return Failure{}; }
  std::variant<v1::ExplainResponse, Failure> explain(const v1::ExplainRequest&) override { return Failure{}; }
  std::variant<v1::StatusResponse, Failure> status(const v1::StatusRequest&) override { return Failure{}; }
  void interrupt() override {}

 private:
  v1::Verdict verdict_;
};

Proof proof_of(const std::string& only_under, v1::StepState weak) {
  Wanted wanted;
  wanted.finding.set_id("1");
  wanted.finding.set_only_under(only_under);
  wanted.read = [](const std::string&) { return std::string("int x;\n"); };
  v1::Verdict verdict;
  verdict.set_kind(v1::VERDICT_CLEAR);
  verdict.mutable_scope()->set_weak(weak);
  verdict.mutable_scope()->set_values("sc; what rc11 allows in addition is not explored: stopped");
  verdict.mutable_stats()->set_executions(3);
  OneVerdict backend(verdict);
  const auto result = prove(backend, wanted, {"mend it", {{"/p/a.c", {{0, 3, "long"}}}}});
  return std::get<Proof>(result);
}

// Interleavings alone never show such a finding, whatever is changed: that it does not show there proves nothing.
TEST(Proof, OfAFindingOfWeakerMemoryNeedsThatMemoryExplored) {
  EXPECT_TRUE(proof_of("rc11", v1::STEP_COMPLETE).proved);
  EXPECT_TRUE(proof_of("rc11", v1::STEP_NOT_NEEDED).proved);
  const Proof cut = proof_of("rc11", v1::STEP_INCOMPLETE);
  EXPECT_FALSE(cut.proved);
  EXPECT_EQ(cut.words, "refused: not decided: sc; what rc11 allows in addition is not explored: stopped");
  EXPECT_TRUE(proof_of("", v1::STEP_INCOMPLETE).proved) << "every interleaving shows that it is gone";
}

}  // namespace
}  // namespace heddle::client::fix
