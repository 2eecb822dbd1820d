// What a verdict takes for granted, in words that a user can compare with the code.
#include <algorithm>
#include <string>

#include "server/engine/target/target_check.h"

namespace heddle::engine {

void TargetCheck::assume(const std::string& text) {
  const auto& all = scope_.assumptions();
  if (std::find(all.begin(), all.end(), text) == all.end()) scope_.add_assumptions(text);
}

// Of a result that was searched for or known: what it takes for granted.
void TargetCheck::note_assumptions(const v1::JobResult& result) {
  threads_met_ = std::max(threads_met_, result.threads_met());
  runs_functions_ = runs_functions_ || result.runs_project_functions();
  finishes_ = finishes_ || result.finishes() || result.sleeps_for_ever();
  if (result.sleeps_for_ever())
    assume(
        "a thread that does nothing but sleep in a loop keeps the program running for ever: what waits meanwhile is "
        "not reported as a deadlock");
  if (result.pauses_bounded())
    assume(
        "in a loop that sleeps, waits with a time limit, looks at a clock, or reads one variable or tries one "
        "operation in vain again and again, other threads come between in the first rounds only");
  if (result.looks_unordered())
    assume(
        "where nothing orders two threads' looks at the clock, one order of the two times is explored; a time that "
        "reaches a thread is never later than what it reads then");
  if (result.handles_signals())
    assume("no signal comes from outside the program: its handlers run only for signals that it sends itself");
  if (result.signals_wait())
    assume("the handler of a signal from another thread begins after two more operations of its thread at the latest");
  if (result.timers_repeat()) assume("a timer that repeats expires twice");
  if (result.cycles_undecided())
    assume(
        "threads that come back to an earlier state get on from there where more than 1,000 states would have to be "
        "looked at to know");
  if (result.runs_long())
    assume(
        "a thread that runs 32 million instructions, or allocates 1.5 million blocks, between two scheduling points "
        "waits until the other threads have run");
}

}  // namespace heddle::engine
