// The interleaving of a finding as rows for people: runs its schedule again with every shared access recorded.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "server/detect/actions.h"
#include "server/detect/calls.h"
#include "server/detect/describe.h"
#include "server/detect/inputs_text.h"
#include "server/detect/interrupted_races.h"
#include "server/detect/library_waits.h"
#include "server/detect/lock_wrappers.h"
#include "server/detect/order.h"
#include "server/detect/recorded_places.h"
#include "server/detect/visible.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Outcome;
using machine::Pointer;
using machine::ThreadId;

namespace {

constexpr size_t kRowsMost = 400;    // longer traces are folded
constexpr size_t kNear = 12;         // rows around a decisive one that stay
constexpr size_t kPlainRun = 6;      // plain accesses in a row by one thread that stay
constexpr size_t kCounted = 10'000;  // folded steps; of very many the machine keeps but a part
constexpr size_t kRounds = 4;        // from this number on, only the first and the last stay

struct Row {
  TraceStep step;
  size_t steps = 1;       // how many it stands for: of a thread alone, those that are not shown are one
  bool plain = false;     // a plain access: of interest only near the action
  bool repeated = false;  // as before and after, while its thread runs on: the rounds of a loop
  SourcePlace inner;      // where the operation itself is: in library code if the step is a call of the library
  std::string inside;     // the library's function and line
  EventNumber number;     // of a visible operation; thread invalid: none
  std::vector<EventNumber> after;
  size_t event = SIZE_MAX;          // of the machine; none: what no event shows
  program::CodeAddress own;         // what the project does there; of a row that is filled
  std::optional<size_t> read_from;  // the event whose older value it read
};

class Recorder {
 public:
  Recorder(Machine& machine, Finding& finding)
      : machine_(machine), finding_(finding), calls_(machine, finding.frames) {}

  void run() {
    const machine::Mark start = machine_.mark();
    follow([this](const Choice& choice) { perform(choice); });
    name_known_by_recording(machine_, finding_);
    choose_events();
    const auto inputs = machine_.inputs();
    machine_.rewind(start);
    machine_.give_inputs(inputs);  // so that each step has the values of this path's end
    finding_.without_interleaving = needs_no_switch(finding_.rule);
    follow([this](const Choice& choice) { step(choice); });
    machine_.mark();
    add_rows(machine_.events().size());
    finding_.follows_from = races_.identities(machine_, finding_.id);
    mark_decisive();
    add_end();
    end_at_finding();
    fold();
  }

 private:
  static bool needs_no_switch(const std::string& rule) {
    return rule != "data-race" && rule != "deadlock" && rule != "livelock" && rule != "lost-signal";
  }

  template <typename Step>
  void follow(const Step& step) {
    for (const Choice& choice : finding_.schedule) {
      if (machine_.outcome() != Outcome::Running || choice.thread.value >= machine_.thread_count() ||
          !machine_.enabled(choice.thread)) {
        break;
      }
      step(choice);
    }
  }

  void perform(const Choice& choice) {
    if (detect::perform(machine_, choice) == Outcome::Faulted && &choice != &finding_.schedule.back())
      machine_.set_aside();
  }

  // Most plain accesses are folded: words cost more than the run, so they are found only for those that may be shown,
  // or stand for what is folded.
  void choose_events() {
    const std::span<const Event> events = machine_.events();
    std::set<std::pair<uint32_t, uint32_t>> decisive;  // lines and columns
    for (const SourcePlace& place : finding_.places) decisive.insert({place.line, place.column});
    const auto position = [&](program::CodeAddress at) {
      const program::Place& place = machine_.program().place(at);
      return std::make_pair(place.line, place.column);
    };
    const auto is_decisive = [&](program::CodeAddress at) {
      return at.function.valid() && decisive.contains(position(at));
    };
    for (const Event& event : events)
      if (event.user.function.valid() && is_decisive(event.operation.at)) decisive.insert(position(event.user));
    const size_t count = events.size();
    shown_.assign(count, false);
    size_t run = 0;
    for (size_t n = 0; n < count; ++n) {
      const bool same = n > 0 && events[n - 1].operation.thread == events[n].operation.thread;
      run = same && (!events[n].visible || events[n].alone) ? run + 1 : 0;
      if (run <= kPlainRun) shown_[n] = true;
      if (!is_decisive(events[n].operation.at) && !is_decisive(events[n].user)) continue;
      constexpr size_t kEvents = 2 * kNear + 2;  // every other one may be no row
      const size_t begin = n > kEvents ? n - kEvents : 0, end = std::min(count, n + kEvents);
      for (size_t near = begin; near < end; ++near) shown_[near] = true;
    }
    for (size_t n = count; n-- > 1;) shown_[n] = shown_[n] || shown_[n - 1];
  }

  void step(const Choice& choice) {
    const bool switched = last_.valid() && last_ != choice.thread;
    if (switched && machine_.enabled(last_)) {
      finding_.without_interleaving = false;
      races_.switches(machine_, last_);
    }
    Done done;
    done.before = machine_.pending(choice.thread);
    done.begin = machine_.events().size();
    done.choice = ++choices_;
    done.earlier = choice.earlier;
    done.calls.before = machine_.call_stack(choice.thread);
    done.futex = futex_call(machine_, choice.thread, done.before);
    const uint32_t threads = machine_.thread_count();
    perform(choice);
    add_rows(done.begin);
    done.number = {choice.thread, machine_.event_count(choice.thread)};
    done.after = order_.performed(machine_, choice.thread);
    for (uint32_t n = threads; n < machine_.thread_count(); ++n) begun_[n] = order_.begun(machine_, ThreadId(n));
    done.calls.after = machine_.call_stack(choice.thread);
    last_ = choice.thread;
    const auto held = machine_.locks_held(choice.thread);
    if (!serves_descriptors(machine_.program(), done.before.at)) note_locks(choice.thread);
    done.locks = locks_[choice.thread.value];
    done.holds_it = std::find(held.begin(), held.end(), done.before.object) != held.end();
    done_ = std::move(done);
  }

  // Outside of the library's functions for descriptors, within which the thread holds the same.
  void note_locks(ThreadId thread) {
    std::vector<std::string>& names = locks_[thread.value];
    names.clear();
    for (const Pointer lock : machine_.locks_held(thread)) names.push_back(machine_.name_of(lock, 1));
  }

  // Rows of the step before: the value of its last plain write is known once the next step begins.
  void add_rows(size_t end) {
    for (size_t n = done_.begin; n < end; ++n) {
      const Event& event = machine_.events()[n];
      const bool follows = n > 0 && events_alone_ == n, unseen = !shown_[n] && (event.alone || follows);
      if (unseen) events_alone_ = n + 1;
      if (n > 0 && is_same_access(machine_.events()[n - 1], event)) continue;
      if (unseen && follows) {
        ++rows_.back().steps;
        continue;
      }
      Row row;
      row.step.thread_number = event.operation.thread.value;
      row.plain = !event.visible;
      row.event = n;
      row.read_from = read_from(machine_, event);
      if (shown_[n]) fill(row, event);
      const bool memory = reads(event.operation.kind) || writes(event.operation.kind);
      if (shown_[n] && memory && row.step.place.file.empty()) continue;  // the library's own, before main
      if (event.visible && event.operation.thread == done_.number.thread) {
        row.number = done_.number;
        row.after = std::exchange(done_.after, {});
      }
      come_after_creation(row);
      rows_.push_back(std::move(row));
    }
    done_.begin = end;
  }

  // The first row of a thread, which may be a plain access before its first visible operation.
  void come_after_creation(Row& row) {
    const auto begun = begun_.find(row.step.thread_number);
    if (begun == begun_.end()) return;
    row.after.insert(row.after.end(), begun->second.begin(), begun->second.end());
    begun_.erase(begun);
  }

  static bool same_place(const SourcePlace& a, const SourcePlace& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column && a.thread == b.thread;
  }

  void fill(Row& row, const Event& event) {
    row.step.kind = kind_text(event.operation.kind);
    row.step.action = action_text(machine_, event, done_.holds_it);
    fill_values(machine_, event, row.step);
    if (done_.earlier && event.visible && writes(event.operation.kind)) {
      row.step.action += ", before the newest value in coherence order";
      row.step.decisive = true;
    }
    if (!done_.futex.kind.empty() && event.operation.kind == done_.before.kind) {
      row.step.action = futex_text(done_.futex, event);
      row.step.object = done_.futex.object;
    }
    const bool continues_alone = row.event + 1 < machine_.events().size() && machine_.events()[row.event + 1].alone;
    row.step.locks_held = continues_alone ? held_alone_.after(machine_, row.event) : done_.locks;
    row.step.choice = done_.choice;
    const ThreadId thread = event.operation.thread;
    if (const auto caller = calls_.caller_of(done_.calls, event, thread)) {
      row.step.caller = *caller;
      row.step.calls_known = true;
    }
    row.step.thread = label(thread);
    row.step.place = user_place(machine_, event.operation.at, event.user, {}, "");
    row.step.place.thread = row.step.thread;
    row.inside = std::exchange(row.step.place.role, "");
    if (!done_.futex.kind.empty()) row.inside.clear();  // described by the project's call alone
    row.inner = place_of(machine_, event.operation.at, {}, "");
    row.inner.thread = row.step.thread;
    row.own = event.user.function.valid() ? event.user : event.operation.at;
    if (event.user.function.valid()) row.step.library = called_function(machine_, event.user, event.operation.at);
    if (!row.step.library.empty() && serves_descriptors(machine_.program(), event.operation.at)) {
      row.step.action = row.step.library + "()";
      row.step.object.clear(), row.step.value_read.clear(), row.step.value_written.clear();
    }
  }

  // The steps that the finding's places name: of each the last one that does what the place says. Now it is known, too,
  // who called the library where a place is inside of it.
  void mark_decisive() {
    for (SourcePlace& place : finding_.places) {
      Row* best = nullptr;
      int most = -1;
      for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
        const bool inside = !row->step.library.empty() && same_place(place, row->inner);
        if (!inside && !(same_place(place, row->step.place) && place.role.ends_with(row->inside))) continue;
        const int agrees = agreement(place, row->step);
        if (agrees > most) best = &*row, most = agrees;
      }
      if (best == nullptr && &place == &finding_.places.front()) ends_before_place_ = true;
      if (best == nullptr || (most < 2 && waits_there(place))) continue;
      // Where a failure is shown by a step of its own, the access that failed is none.
      if (!fails_at_end() || &place != &finding_.places.front()) best->step.decisive = true;
      if (!same_place(place, best->step.place)) {
        std::string role = place.role + (best->inside.empty() ? "" : " " + best->inside);
        place = best->step.place;
        place.role = std::move(role);
      }
      name_the_call(place.role, best->inside, best->step.library);
      if (place.role.starts_with("took")) show_caller(place, *best);
    }
  }

  // Of a lock that a wrapper took: who called that. So does the row.
  void show_caller(SourcePlace& place, Row& row) {
    const LockCall call = lock_call(machine_, row.own, calls_, finding_.frames, row.step.caller);
    if (!call.user.function.valid()) return;
    if (place.role.ends_with(row.inside)) place.role.resize(place.role.size() - row.inside.size());
    while (place.role.ends_with(' ')) place.role.pop_back();
    place = user_place(machine_, call.inner, call.user, ThreadId(row.step.thread_number), std::move(place.role));
    row.step.place = place;
    row.step.place.role.clear();
  }

  bool is_stuck() const {
    return finding_.rule == "deadlock" || finding_.rule == "livelock" || finding_.rule == "lost-signal";
  }
  bool fails_at_end() const { return finding_.rule != "data-race" && !is_stuck(); }

  // What a thread did after the finding is no part of it.
  void end_at_finding() {
    while (!rows_.empty() && !rows_.back().step.decisive &&
           std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.step.decisive; }))
      rows_.pop_back();
  }

  // It may take a walk through the library to where the project continues.
  const std::string& label(ThreadId thread) {
    const auto [at, fresh] = labels_.try_emplace(thread.value);
    if (fresh) at->second = thread_label(machine_, thread);
    return at->second;
  }

  // What no event shows: the statement that failed, and what the blocked threads wait for.
  void add_end() {
    const bool stuck = is_stuck();
    const bool race = finding_.rule == "data-race";  // which is a step itself, unless the call ended at it
    if ((race && !ends_before_place_) || finding_.places.empty()) return;
    const size_t count = stuck ? finding_.places.size() : 1;
    for (size_t n = 0; n < count; ++n) {
      const SourcePlace& place = finding_.places[n];
      if (stuck && !waits_there(place)) continue;
      Row row;
      row.step.thread = place.thread;
      for (uint32_t thread = 0; thread < machine_.thread_count(); ++thread) {
        if (label(ThreadId(thread)) != place.thread) continue;
        row.step.thread_number = thread;
        if (!serves_descriptors(machine_.program(), machine_.pending(ThreadId(thread)).at))
          note_locks(ThreadId(thread));
        row.step.locks_held = locks_[thread];
        break;
      }
      row.step.place = place;
      row.step.action = stuck || race ? place.role : finding_.message;
      row.step.decisive = true;
      row.step.kind = "end";
      come_after_creation(row);
      rows_.push_back(std::move(row));
    }
  }

  // Of what a thread does again and again before another one runs, as when it waits for a variable to change.
  void find_repetitions() {
    std::map<std::tuple<uint32_t, uint32_t, std::string>, std::vector<size_t>> same;
    for (size_t n = 0; n < rows_.size();) {
      same.clear();
      const uint32_t thread = rows_[n].step.thread_number;
      for (; n < rows_.size() && rows_[n].step.thread_number == thread; ++n) {
        const TraceStep& step = rows_[n].step;
        same[{step.place.line, step.place.column, step.action}].push_back(n);
      }
      for (const auto& [what, at] : same) {
        if (at.size() < kRounds) continue;
        for (size_t k = 1; k + 1 < at.size(); ++k) {
          rows_[at[k]].repeated = true;
          rows_[at[k]].step.decisive = false;
        }
      }
    }
  }

  // Rows that are neither near the action nor a synchronisation become one row that says how many they were.
  void fold() {
    find_repetitions();
    std::vector<bool> keep(rows_.size());
    const bool many = rows_.size() > kRowsMost;
    size_t run = 0;
    for (size_t n = 0; n < rows_.size(); ++n) {
      run = rows_[n].plain && n > 0 && rows_[n - 1].step.thread_number == rows_[n].step.thread_number ? run + 1 : 0;
      const bool shown = !many && !rows_[n].repeated && rows_[n].steps == 1 && (!rows_[n].plain || run < kPlainRun);
      keep[n] = rows_[n].step.decisive || shown;
    }
    for (size_t n = 0; n < rows_.size(); ++n) {
      if (const auto from = rows_[n].read_from; from && !rows_[n].repeated) keep[n] = keep[row_of_event(*from)] = true;
      if (!rows_[n].step.decisive) continue;
      const size_t begin = n > kNear ? n - kNear : 0, end = std::min(rows_.size(), n + kNear + 1);
      for (size_t near = begin; near < end; ++near) keep[near] = keep[near] || !rows_[near].repeated;
    }
    if (many) keep_switches(keep);
    uint32_t last = 0;
    std::map<EventNumber, uint32_t> shown;  // where in the trace an operation is
    std::map<size_t, uint32_t> stored;      // and an event
    for (size_t n = 0; n < rows_.size();) {
      size_t end = n + 1, count = rows_[n].steps;
      while (!keep[n] && end < rows_.size() && !keep[end] &&
             rows_[end].step.thread_number == rows_[n].step.thread_number) {
        count += rows_[end++].steps;
      }
      TraceStep step = std::move(rows_[n].step);
      if (count > 1) {
        const bool very_many = count > kCounted;
        step.action = (very_many ? "... more than " : "... ") + std::to_string(very_many ? kCounted : count) + " steps";
        step.kind = "steps", step.object.clear(), step.value_read.clear(), step.value_written.clear();
      }
      if (const auto from = rows_[n].read_from; from && count == 1 && stored.contains(*from))
        step.reads_from = stored[*from] + 1;
      for (; n < end; ++n) {
        stored[rows_[n].event] = static_cast<uint32_t>(finding_.trace.size());
        add_order(rows_[n], shown, step);
      }
      step.switched = !finding_.trace.empty() && step.thread_number != last;
      last = step.thread_number;
      finding_.trace.push_back(std::move(step));
    }
  }

  size_t row_of_event(size_t event) const {
    const auto row = std::ranges::lower_bound(rows_, event, {}, &Row::event);
    return static_cast<size_t>(std::min(row, rows_.end() - 1) - rows_.begin());
  }

  void add_order(const Row& row, std::map<EventNumber, uint32_t>& shown, TraceStep& step) const {
    if (row.number.thread.valid()) shown[row.number] = static_cast<uint32_t>(finding_.trace.size());
    for (const EventNumber& event : row.after) {
      const auto at = shown.find(event);
      if (at == shown.end() || std::count(step.after.begin(), step.after.end(), at->second) > 0) continue;
      step.after.push_back(at->second);
    }
    std::sort(step.after.begin(), step.after.end());
  }

  // Of a long trace: the rows at which threads change over, from the end, as many as there is room for.
  void keep_switches(std::vector<bool>& keep) {
    size_t kept = static_cast<size_t>(std::count(keep.begin(), keep.end(), true));
    for (size_t n = rows_.size(); n-- > 1 && kept < kRowsMost;) {
      if (keep[n] || rows_[n].step.thread_number == rows_[n - 1].step.thread_number) continue;
      keep[n] = true;
      ++kept;
    }
  }

  struct Done {
    Operation before;
    FutexCall futex;
    std::vector<std::string> locks;
    bool holds_it = false;
    size_t begin = 0;  // its first event
    uint32_t choice = 0;
    bool earlier = false;  // Choice::earlier
    CallsAround calls;
    EventNumber number;
    std::vector<EventNumber> after;
  };

  Machine& machine_;
  Finding& finding_;
  CallRecorder calls_;
  uint32_t choices_ = 0;
  DirectOrder order_;
  InterruptedRaces races_;
  HeldAlone held_alone_;
  Done done_;
  std::vector<Row> rows_;
  std::vector<bool> shown_;                 // of events
  size_t events_alone_ = 0;                 // the next event is one that the last row stands for, too, if it is unseen
  bool ends_before_place_ = false;          // no step is at the first place
  std::map<uint32_t, std::string> labels_;  // of threads
  std::map<uint32_t, std::vector<std::string>> locks_;
  std::map<uint32_t, std::vector<EventNumber>> begun_;  // what precedes all of a thread that has no row yet
  ThreadId last_;
};

}  // namespace

void record_trace(const machine::ImagePtr& image, const machine::Options& options, Finding& finding,
                  const std::vector<machine::CodeAddress>& visible) {
  machine::Options recording = options;
  recording.record_plain_accesses = true;
  Machine machine(image, recording);
  machine.make_visible(visible);
  finding.trace.clear();
  finding.frames.clear();
  finding.visible.clear();
  const program::Program& program = machine::program_of(*image);
  for (const program::CodeAddress at : visible) finding.visible.push_back(visible_statement(program, at).text());
  std::sort(finding.visible.begin(), finding.visible.end());
  finding.visible.erase(std::unique(finding.visible.begin(), finding.visible.end()), finding.visible.end());
  Recorder(machine, finding).run();
  finding.inputs = inputs_of(machine);
  finding.input_values.clear();
  for (const Machine::InputValue& input : machine.inputs())
    finding.input_values.emplace_back(input.number, input.value);
  add_unknown_functions(*image, options.unknown_calls, finding.inputs);
  if (const std::string inputs = inputs_text(machine); !inputs.empty()) finding.message += ", " + inputs;
}

}  // namespace heddle::detect
