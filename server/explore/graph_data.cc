// Unknown data in execution graphs: a question about the inputs is a write that no read sees, with an outcome for each
// answer; a compare-exchange that unknown data decides is a read with two.
#include <algorithm>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

using graph::EventId;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

// What the outcomes of the thread's next event assume of the inputs; none: there is nothing to answer.
std::vector<uint32_t> GraphMachine::question(uint32_t thread, EventId from) {
  if (states_[thread].half != Half::None) return {};
  const Operation& operation = machine_.pending(ThreadId(thread));
  if (operation.kind == OperationKind::DataChoice) return machine_.question(ThreadId(thread));
  if (!operation.compares || form_of(thread, operation) != Form::Update) return {};
  return machine_.question_of_exchange(ThreadId(thread), store(location_of(thread, operation, false), from).word);
}

uint32_t GraphMachine::possible_from(const std::vector<uint32_t>& outcomes, uint32_t least) {
  while (least < outcomes.size() && !machine_.can_hold(outcomes[least])) ++least;
  return least < outcomes.size() ? least : kNoOutcome;
}

uint32_t GraphMachine::outcome_of_read(uint32_t thread, EventId from, uint32_t least) {
  if (!machine_.has_unknown() || stop_) return least == 0 ? 0 : kNoOutcome;
  const std::vector<uint32_t> outcomes = question(thread, from);
  if (outcomes.empty()) return least == 0 ? 0 : kNoOutcome;
  return possible_from(outcomes, least);
}

// As far as the previous events decide: those that are there also if others go away.
bool GraphMachine::is_first_outcome(const graph::Event& event, const graph::Previous& previous) {
  const auto found = std::find_if(questions_.begin(), questions_.end(),
                                  [&](const Question& question) { return question.event == event.id; });
  if (found == questions_.end()) return false;  // no input decides
  std::vector<uint32_t> conditions;
  for (const Condition& condition : conditions_)
    if (condition.event != event.id && previous.contains(condition.event)) conditions.push_back(condition.holds);
  for (uint32_t outcome = 0; outcome < event.outcome; ++outcome) {
    conditions.push_back(found->outcomes[outcome]);
    if (machine_.satisfiable(conditions)) return false;
    conditions.pop_back();
  }
  return true;
}

// An event that a revisit keeps answers as it did. False: it cannot, as the machine asks something else now; a limit.
bool GraphMachine::can_answer(uint32_t thread, EventId event, EventId from, uint32_t outcome) {
  if (stop_) return false;
  const std::vector<uint32_t> outcomes = question(thread, from);
  if (outcomes.empty()) return true;
  questions_.push_back({event, outcomes});
  if (outcome < outcomes.size() && machine_.can_hold(outcomes[outcome])) return true;
  reporter_.not_followed(machine_.pending(ThreadId(thread)),
                         "a question about unknown data that depends on the order of other threads' questions");
  stop_ = true;
  return false;
}

void GraphMachine::perform_choice(uint32_t thread, uint32_t outcome) {
  if (outcome == 0 || !machine_.stands_at_assumption(ThreadId(thread))) return step(thread, std::nullopt, outcome);
  machine_.assume(machine_.question(ThreadId(thread))[outcome]);
  states_[thread].half = Half::Assumed;
}

// A wait for a futex has read the word.
void GraphMachine::compare_found(uint32_t thread, EventId from) {
  ThreadState& t = states_[thread];
  const Word found = store(t.location, from).word;
  if (found.expression != 0) {
    reporter_.not_followed(machine_.pending(ThreadId(thread)),
                           "a wait for an unknown value, which execution graphs leave out");
    t.ended = true;
  }
  const bool same = machine_.value_of(found) == t.expected;
  t.half = same == t.sleeps ? Half::None : Half::Refuted;
}

void GraphMachine::note_assumed(EventId event) {
  for (const uint32_t condition : machine_.take_assumed()) conditions_.push_back({event, condition});
}

// The thread met an operation that needs a number where the value is unknown. Its next events would depend on which.
void GraphMachine::end_where_concrete(uint32_t thread, const Operation& performed) {
  times_concrete_ = machine_.times_made_concrete();
  change(thread).ended = true;
  const auto created = static_cast<uint32_t>(performed.object.bits);
  if (performed.kind == OperationKind::Create && created < threads_) change(created).ended = true;
}

}  // namespace heddle::explore
