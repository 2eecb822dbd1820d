#include "client/fix/search.h"

#include <algorithm>
#include <chrono>

#include "client/fix/candidates.h"
#include "client/fix/undo.h"

namespace heddle::client::fix {
namespace {

constexpr int kPlacesMost = 4;

// What the engine knows about the statements at the finding's places: who else touches the object, with which locks.
void explain(Backend& backend, const Wanted& wanted, Situation& situation) {
  for (int n = 0; n < wanted.finding.places_size() && n < kPlacesMost; ++n) {
    v1::ExplainRequest question;
    question.set_root(wanted.request.root());
    *question.mutable_project() = wanted.request;
    question.set_file(wanted.finding.places(n).file());
    question.set_line(wanted.finding.places(n).line());
    const auto answer = backend.explain(question);
    if (const auto* response = std::get_if<v1::ExplainResponse>(&answer)) situation.add(*response);
  }
}

}  // namespace

std::variant<Found, Failure> find_fixes(Backend& backend, const Wanted& wanted, const SearchOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const auto left = [&] {
    return options.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  Situation situation(wanted.finding, wanted.read);
  if (wanted.finding.rule() == "data-race") explain(backend, wanted, situation);
  std::vector<Candidate> candidates = undo_candidates(situation, options.older);
  for (Candidate& candidate : candidates_for(situation)) candidates.push_back(std::move(candidate));
  Found out;
  size_t proved = 0;
  for (size_t n = 0; n < candidates.size() && proved < options.proved_most; ++n) {
    if (left() <= 0 || options.cancelled()) {
      out.untried = candidates.size() - n;
      break;
    }
    Wanted trial = wanted;
    trial.seconds = std::min(wanted.seconds, left());
    auto result = prove(backend, trial, candidates[n]);
    if (const auto* failure = std::get_if<Failure>(&result)) return *failure;
    out.tried.push_back({std::move(candidates[n]), std::get<Proof>(std::move(result))});
    proved += out.tried.back().proof.proved ? 1 : 0;
  }
  return out;
}

}  // namespace heddle::client::fix
