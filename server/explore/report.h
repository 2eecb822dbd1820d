// What a search hands on: findings (each once), limits, statistics, budget. Also the machine as the searches drive it.
// Internal to the folder.
//
// In:      an image, a Task, a Listener and a machine; each step and each end of a path.
// Out:     findings to the Listener with their traces; the Result.
// Cost:    per step the fault count, one status, and every 16 steps the clock and the budget.
// Owns:    what it has seen. Image, Task, Listener and machine must outlive it; the image is shared.
// Threads: the thread that uses the machine; the Listener is called on it.
// Fails:   never.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/exit_codes.h"
#include "server/explore/explore.h"
#include "server/explore/partial_order.h"

namespace heddle::explore {

// The machine, remembering how many of the path's faults were looked at.
class Driver {
 public:
  explicit Driver(machine::Machine& machine) : machine_(machine) {}

  uint32_t thread_count() const { return machine_.thread_count(); }
  machine::ThreadStatus status(machine::ThreadId thread) const { return machine_.status(thread); }
  const machine::Operation& pending(machine::ThreadId thread) { return machine_.pending(thread); }
  bool enabled(machine::ThreadId thread) const { return machine_.status(thread) == machine::ThreadStatus::Pending; }
  // What other threads do after an error could have happened before it: they continue without the thread that failed.
  machine::Outcome perform(machine::ThreadId thread, uint32_t alternative) { return perform({thread, alternative}); }
  machine::Outcome perform(const detect::Choice& choice) {
    const size_t before = executed != nullptr ? machine_.events().size() : 0;
    const machine::Outcome outcome = detect::perform(machine_, choice);
    if (executed != nullptr) note_executed(before);
    failed_ = false;
    if (outcome != machine::Outcome::Faulted || !past_faults || detect::is_limit(machine_.faults().back().kind))
      return outcome;
    failed_ = true;
    return machine_.set_aside();
  }
  bool failed() const { return failed_; }  // the last step ended in an error of its thread, and the others continue
  machine::Outcome outcome() const { return machine_.outcome(); }
  machine::Mark mark() { return machine_.mark(); }
  void rewind(const machine::Mark& mark) {
    machine_.rewind(mark);
    if (faults_seen > machine_.faults().size()) faults_seen = machine_.faults().size();
  }
  uint64_t fingerprint(bool with_clocks) { return machine_.fingerprint(with_clocks); }
  // Equal in states from which the same happens, races included: see state_search.h.
  uint64_t state_hash() { return machine_.fingerprint(false) + 0x9e3779b97f4a7c15ull * machine_.recent_hash(); }

  void note_executed(size_t first) {  // of the path's events
    for (const machine::Event& event : machine_.events().subspan(first))
      executed->insert(event.user.function.valid() ? event.user : event.operation.at);
  }

  machine::Machine& machine() { return machine_; }
  size_t faults_seen = 0;
  bool past_faults = true;
  std::set<machine::CodeAddress>* executed = nullptr;  // where statements are noted; null: nowhere

 private:
  bool failed_ = false;
  machine::Machine& machine_;
};

// The plain accesses at the place of this one: a user's statement becomes visible as a whole.
std::vector<machine::CodeAddress> accesses_at(const program::Program& program, machine::CodeAddress at);

using ScheduleSource = std::function<detect::Schedule()>;

class Reporter {
 public:
  Reporter(const machine::ImagePtr& image, const Task& task, const Listener& listener);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  // A machine of its own search begins; `visible` are its racy statements so far.
  void begin(machine::Machine& machine);
  // After a step of the thread. False: stop the search.
  bool stepped(Driver& driver, machine::ThreadId thread, const ScheduleSource& schedule) {
    const machine::Machine& machine = driver.machine();
    if (machine.faults().size() != driver.faults_seen) look_at_faults(driver, schedule);
    if (machine.outcome() == machine::Outcome::Running && machine.status(thread) == machine::ThreadStatus::Blocked) {
      look_for_cycles(driver.machine(), thread, schedule);
    }
    return !(stop_ || (--until_check_ == 0 && !check()));
  }
  void ended(Driver& driver, PathEnd how, const ScheduleSource& schedule);
  // With a schedule the limit says which loop the path repeated.
  void beyond(Beyond what, const ScheduleSource& schedule = {});
  // The path ends before this operation: a limit.
  void not_followed(const machine::Operation& operation, const std::string& what);
  void waits_for_signal(const machine::Operation& operation);  // a limit, too
  bool waits_for_clients(machine::Machine& machine);
  // The path has come back to a state, or is very long. True: no choice leads out (reported); the path ends.
  bool cycle_closed(Driver& driver, const ScheduleSource& schedule);
  // A schedule has ended in a failure: looks for an execution that succeeds, with the same inputs.
  void compare_exit_code();
  // The process ended before its first operation. True: there is nothing to search.
  bool ended_at_once(Driver& driver);

  // For Task::resume: what is known in addition to the search's position.
  bool saves() const { return static_cast<bool>(listener_.saved); }
  bool save_due();
  void save(Writer& out) const;  // but for the exit codes
  bool restore(Reader& in);
  ExitCodes& exit_codes() { return exit_codes_; }
  void begin_part();  // what it counts and finds from here on is its own
  void left(std::string bytes) { result_.left = std::move(bytes); }
  void saved(const std::string& bytes) { listener_.saved(bytes, result_.statistics); }

  // Statements of new races since the last call that are not visible yet; from now on they are.
  std::vector<machine::CodeAddress> take_new_racy();
  // Statements that are scheduling points for another reason than a race.
  void add_visible(std::span<const machine::CodeAddress> statements);

  // How findings get fewer context switches: by minimise() unless said otherwise.
  using Minimise = std::function<detect::Finding(const machine::ImagePtr&, const Task&, const detect::Finding&)>;
  void minimise_by(Minimise how) { minimise_ = std::move(how); }

  void more_races() { result_.more_races = true; }

  void stop(Completeness why);
  double seconds() const;  // since its beginning
  bool stopped() const { return stop_; }
  Statistics& statistics() { return result_.statistics; }
  const Result& finish();
  void reached_fragment() { result_.fragment_reached = true; }

 private:
  static constexpr uint32_t kStepsPerCheck = 16;

  void look_at_faults(Driver& driver, const ScheduleSource& schedule);
  void look_for_cycles(machine::Machine& machine, machine::ThreadId thread, const ScheduleSource& schedule);
  void note_first_finding();
  void report(detect::Finding finding, bool brief = false);  // brief: without its interleaving
  bool places_were_reported(const machine::Machine& machine, const machine::Fault& fault,
                            const detect::Finding& finding);
  void add_limit(const machine::Machine& machine, const machine::Fault& fault);
  void note_limit(const machine::Machine& machine, const machine::Fault& fault);
  detect::SourcePlace place_of_limit(machine::ThreadId thread, machine::CodeAddress at,
                                     machine::CodeAddress user) const;
  detect::SourcePlace where_it_went_beyond(bool threads, const ScheduleSource& schedule) const;
  detect::SourcePlace where_it_stands() const;
  detect::SourcePlace where_it_went_round(const detect::Schedule& schedule) const;
  // A path ended at a limit of the whole program. If all did so far, those to come would say the same.
  void too_large(const std::string& message, uint32_t weight);
  void add_limits_of_inputs();
  detect::Schedule until_non_progress(const detect::Schedule& schedule,
                                      const std::vector<machine::Operation>& waits) const;
  bool check();  // clock, budget, progress; false: stop
  std::vector<machine::CodeAddress> visible() const;

  machine::ImagePtr image_;
  const Task& task_;
  const Listener& listener_;
  machine::Machine* machine_ = nullptr;
  Result result_;
  void count_work();                  // of the machine
  uint64_t instructions_before_ = 0;  // of machines before this one
  machine::Machine::SolverWork solver_before_;
  std::vector<machine::CodeAddress> racy_, others_, new_racy_;
  std::unordered_set<uint64_t> seen_states_;  // faults, cycles and stuck states that were turned into findings
  std::set<std::string> seen_ids_;
  std::set<std::set<std::string>> places_of_races_;  // those that were reported
  ExitCodes exit_codes_;
  Minimise minimise_;
  std::unordered_set<uint64_t> non_progress_states_,
      progress_states_;  // states from which no end, or some end, can be reached
  uint32_t until_check_ = kStepsPerCheck;
  bool small_ = true;                            // the search is, so far (Budget::states_small)
  uint32_t too_large_ = 0, too_large_seen_ = 0;  // paths of a program too large; long ones count more
  bool some_path_ends_ = false;                  // without that
  bool stop_ = false;
  std::chrono::steady_clock::time_point begin_, last_progress_, last_saved_;
};

}  // namespace heddle::explore
