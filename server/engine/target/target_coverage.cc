// What the pairs that a client asks for execute. It finds the same interleavings as their exploration, and no errors.
#include "server/engine/target/coverage.h"
#include "server/engine/target/target_check.h"

namespace heddle::engine {

bool TargetCheck::run_coverage() {
  Work work;
  work.image = request_.version->image();
  work.facts = request_.version->facts();
  work.deadline = deadline(settings_.step1_seconds, 1);
  for (const edit::Pair& pair : impact_.pairs) {
    if (pair.state != edit::PairState::Chosen) continue;
    work.jobs.push_back(pair_job(pair));
    work.jobs.back().task.coverage = true;
    work.jobs.back().task.minimise = false;
  }
  if (work.jobs.empty()) return true;
  const Explorers::Outcome outcome = explorers_.run(work, {}, interrupt_);
  if (outcome.interrupted) return false;
  v1::Event event;
  *event.mutable_coverage() = coverage_of(*work.facts, outcome.results);
  emit_(event);
  return true;
}

}  // namespace heddle::engine
