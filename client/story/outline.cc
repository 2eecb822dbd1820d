#include "client/story/outline.h"

#include <algorithm>
#include <map>
#include <set>

#include "client/story/causes.h"
#include "client/story/words.h"

namespace heddle::client {
namespace {

constexpr size_t kActionsTold = 3;  // of one line

bool synchronises(const v1::TraceStep& step) {
  return !step.kind().empty() && step.kind() != "steps" && step.kind() != "end" && !is_memory(step);
}

// What a thread does before it comes to the project's code, and after it.
bool in_library(const v1::TraceStep& step) { return step.place().file().starts_with("/usr/"); }

bool is_of_signal(const v1::TraceStep& step) { return step.kind() == "signal"; }
// Not: the signal is left for later.
bool is_interruption(const v1::TraceStep& step) {
  return is_of_signal(step) && step.action().find(" interrupts ") != std::string::npos;
}

bool same_line(const v1::TraceStep& a, const v1::TraceStep& b) {
  return !is_interruption(a) && !is_interruption(b) && a.thread_number() == b.thread_number() &&
         a.place().file() == b.place().file() && a.place().line() == b.place().line() && a.kind() != "end" &&
         b.kind() != "end";
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string joined(const std::vector<std::string>& actions) {
  std::string text;
  for (size_t n = 0; n < actions.size() && n < kActionsTold; ++n) text += (n == 0 ? "" : ", ") + actions[n];
  return actions.size() > kActionsTold ? text + ", ..." : text;
}

// "call std::queue<...>::pop": of steps that only touch memory inside of the library.
std::string call_text(const std::vector<std::string>& functions) {
  std::vector<std::string> calls;
  for (const std::string& function : functions) calls.push_back("call " + function);
  return joined(calls);
}

// What a thread does in one line: the finding's places alone if it has some, else what synchronises, else the project's
// own accesses, else the library's functions, else that it ends. A read of an older value is never left out.
void fill(const v1::Finding& finding, OutlineRow& row) {
  std::vector<std::string> decisive, synchronising, own, calls, end, captures;
  int stands = -1;
  bool older = false;
  for (int n = row.first; n <= row.last; ++n) {
    const v1::TraceStep& step = finding.trace(n);
    older = older || finds_older_value(step);
    if (step.decisive()) add_once(decisive, step.action());
    if (step.kind() == "thread-exit") {
      end.push_back(step.action());
      continue;
    }
    if (synchronises(step)) add_once(synchronising, step.action());
    if (is_capture(step) || (is_of_signal(step) && !is_interruption(step)))
      add_once(captures, step.action());
    else if (step.library().empty() || (is_atomic_call(step) && is_memory(step)))
      add_once(own, step.action());
    else
      add_once(calls, step.library());
    if (step.decisive()) stands = n;
  }
  row.step = stands >= 0 ? stands : row.last;
  row.action = !decisive.empty()                  ? joined(decisive)
               : !synchronising.empty() && !older ? joined(synchronising)
               : !own.empty()                     ? joined(own)
               : !calls.empty()                   ? call_text(calls)
               : !end.empty()                     ? joined(end)
                                                  : joined(captures);
}

// What a driver does between the calls; where it starts threads and waits for them, it is part of the interleaving.
bool only_of_driver(const v1::Finding& finding, const OutlineRow& row) {
  for (int n = row.first; n <= row.last; ++n)
    if (!is_of_driver(finding.trace(n)) || finding.trace(n).decisive() || synchronises(finding.trace(n))) return false;
  return true;
}

std::vector<OutlineRow> lines_of(const v1::Finding& finding) {
  std::vector<OutlineRow> rows;
  for (int n = 0; n < finding.trace_size(); ++n) {
    if (rows.empty() || !same_line(finding.trace(rows.back().first), finding.trace(n))) {
      rows.emplace_back();
      rows.back().first = n;
    }
    rows.back().last = n;
  }
  for (OutlineRow& row : rows) {
    fill(finding, row);
    if (only_of_driver(finding, row)) row.detail = Detail::Everything;
  }
  return rows;
}

// Chooses the rows of the story, what matters most first.
class Story {
 public:
  Story(const v1::Finding& finding, std::vector<OutlineRow>& rows) : finding_(finding), rows_(rows) {
    for (size_t row = 0; row < rows.size(); ++row)
      for (int n = rows[row].first; n <= rows[row].last; ++n) row_of_.push_back(row);
    for (int n = 0; n < finding.trace_size(); ++n)
      if (finding.trace(n).decisive()) places_.push_back(n);
    if (places_.empty() && finding.trace_size() > 0) places_.push_back(finding.trace_size() - 1);
  }

  void choose() {
    for (const int place : places_) take(place);
    if (finding_.rule() == "not-linearizable") return take_calls();
    for (const int place : places_) take_locks(place);
    take_older_values();
    take_signals();
    begin_ = common_point();
    for (const int place : places_) take_causes(place);
    if (begin_ >= 0) take(begin_);
    for (const int place : places_) take_synchronisation(place);
    take_switches();
  }

 private:
  const v1::TraceStep& step(int n) const { return finding_.trace(n); }

  void take(int n) {
    OutlineRow& row = rows_[row_of_[static_cast<size_t>(n)]];
    const bool named =
        std::any_of(places_.begin(), places_.end(), [&](int place) { return row.first <= place && place <= row.last; });
    if (row.detail == Detail::Story || (used_ >= kStoryRows && !named)) return;
    row.detail = Detail::Story;
    ++used_;
  }

  int before_in_thread(int n) const {
    for (int m = n; m-- > 0;)
      if (step(m).thread_number() == step(n).thread_number()) return m;
    return -1;
  }

  // Where the thread of the step was created; -1: not shown.
  int creation_of(int n) const {
    for (int m = n; m-- > 0;)
      if (step(m).kind() == "create" && step(m).object() == "thread " + step(n).thread()) return m;
    return -1;
  }

  // All steps that happen before the given one, itself included.
  std::set<int> happens_before(int n) const {
    std::set<int> seen = {n};
    std::vector<int> work = {n};
    const auto add = [&](int m) {
      if (m >= 0 && seen.insert(m).second) work.push_back(m);
    };
    while (!work.empty()) {
      const int at = work.back();
      work.pop_back();
      const int before = before_in_thread(at);
      add(before >= 0 ? before : creation_of(at));
      for (const uint32_t after : step(at).after()) add(static_cast<int>(after));
    }
    return seen;
  }

  // The last step that happens before the places in all threads of the finding: there they part. -1: none.
  int common_point() const {
    std::map<uint32_t, int> newest;  // per thread
    for (const int place : places_) newest[step(place).thread_number()] = place;
    if (newest.size() < 2) return -1;
    std::set<int> common;
    for (const auto& [thread, place] : newest) {
      std::set<int> before = happens_before(place), both;
      if (thread == newest.begin()->first)
        both = std::move(before);
      else
        std::set_intersection(common.begin(), common.end(), before.begin(), before.end(),
                              std::inserter(both, both.end()));
      common = std::move(both);
    }
    for (const int place : places_) common.erase(place);
    return common.empty() ? -1 : *common.rbegin();
  }

  // Where the locks held there were taken.
  void take_locks(int place) {
    for (const std::string& lock : step(place).locks_held()) {
      int taken = -1;
      for (int m = place; m >= 0; m = before_in_thread(m)) {
        const auto& held = step(m).locks_held();
        if (std::find(held.begin(), held.end(), lock) == held.end()) break;
        taken = m;
      }
      if (taken >= 0) take(taken);
    }
  }

  // Reads that weaker memory lets find an older value, where that was stored, and the store that they do not find.
  void take_older_values() {
    for (int n = places_.back(); n >= 0; --n) {
      if (!finds_older_value(step(n))) continue;
      take(n);
      if (step(n).reads_from() > 0)
        take(static_cast<int>(step(n).reads_from()) - 1);
      else
        take_stores_of(n);
      if (const int last = last_write_before(finding_, n); last >= 0) take(last);
    }
  }

  // Signals that interrupt the threads of the finding, and the calls that send them.
  void take_signals() {
    for (int n = places_.back(); n >= 0; --n) {
      const bool own = std::any_of(places_.begin(), places_.end(),
                                   [&](int place) { return step(place).thread_number() == step(n).thread_number(); });
      if (!own || !is_interruption(step(n))) continue;
      take(n);
      const std::string signal = step(n).action().substr(0, step(n).action().find(' '));
      for (int m = n - 1; m >= 0; --m)
        if (step(m).action().starts_with("send " + signal + " ")) {
          take(m);
          break;
        }
    }
  }

  // Those that may have stored what is read: it is not known which one did.
  void take_stores_of(int n) {
    for (int m = 0; m < n; ++m)
      if (step(m).object() == step(n).object() && !step(n).value_read().empty() &&
          step(m).value_written() == step(n).value_read())
        take(m);
  }

  // Who wrote last what is read in the line of a failure, and the lines before it, and is another thread.
  void take_causes(int place) {
    constexpr int kLooksBack = 8;
    std::set<std::string> found;
    int m = place;
    for (int looked = 0; m >= 0 && looked < kLooksBack; m = before_in_thread(m), ++looked) {
      if (step(m).kind() != "read" && step(m).kind() != "update") continue;
      const bool own = is_informative(step(m)), of_library = fails_alone() && is_access_of_a_call(step(m));
      if ((!own && !of_library) || found.count(step(m).object()) > 0) continue;
      const int writer = own ? last_write_before(finding_, m) : last_change_by_another(finding_, m);
      if (writer < 0 || step(writer).thread_number() == step(m).thread_number()) continue;
      found.insert(step(m).object());
      take(writer);
      take(m);
      if (const auto lost = lost_update(finding_, writer)) take_lost(*lost);
      if (of_library) take_locks(writer);
    }
  }

  // What the concurrent calls did: first what was lost, then their accesses and locks.
  void take_calls() {
    const int end = end_of_concurrent_calls(finding_);
    for (int n = 0; n < end; ++n)
      if (const auto lost = lost_update(finding_, n)) take_lost(*lost);
    const uint32_t judge = step(places_.back()).thread_number();
    for (int n = 0; n < end; ++n)
      if (step(n).thread_number() != judge && is_informative(step(n))) take(n);
  }

  void take_lost(const LostUpdate& lost) {
    take(lost.write);
    take(lost.lost);
    take(lost.read);
  }

  // What each thread did last before that orders it with others.
  void take_synchronisation(int place) {
    for (int m = before_in_thread(place); m > begin_; m = before_in_thread(m))
      if (synchronises(step(m)) && is_informative(step(m))) return take(m);
  }

  // What the threads of the finding did last before another one ran, and first after that.
  void take_switches() {
    for (int n = places_.back(); n > std::max(begin_, 0); --n) {
      if (!step(n).switched() || used_ + 2 > kStoryRows) continue;
      take_informative(n - 1, -1);
      take_informative(n, 1);
    }
  }

  // The nearest step in that direction, before another thread runs, that says something.
  void take_informative(int n, int way) {
    const uint32_t thread = step(n).thread_number();
    if (!of_finding(thread)) return;
    for (; n > begin_ && n <= places_.back() && step(n).thread_number() == thread; n += way)
      if (is_informative(step(n))) return take(n);
  }

  // Memory that only the library touches, and the ends of threads, explain little.
  static bool is_informative(const v1::TraceStep& step) {
    if (in_library(step) || is_of_driver(step) || step.kind() == "thread-exit") return false;
    return synchronises(step) || is_own_access(step);
  }

  // The places of the finding are of one thread: which other ones led to it, they do not say.
  bool fails_alone() const {
    return std::all_of(places_.begin(), places_.end(),
                       [&](int place) { return step(place).thread_number() == step(places_.front()).thread_number(); });
  }

  bool of_finding(uint32_t thread) const {
    return std::any_of(places_.begin(), places_.end(),
                       [&](int place) { return step(place).thread_number() == thread; });
  }

  const v1::Finding& finding_;
  std::vector<OutlineRow>& rows_;
  std::vector<size_t> row_of_;  // step -> row
  std::vector<int> places_;     // the decisive steps
  int begin_ = -1;
  size_t used_ = 0;
};

}  // namespace

std::vector<OutlineRow> outline_of(const v1::Finding& finding) {
  std::vector<OutlineRow> rows = lines_of(finding);
  if (!rows.empty()) Story(finding, rows).choose();
  return rows;
}

std::vector<StepOutline> steps_outlined(const v1::Finding& finding) {
  std::vector<StepOutline> steps(static_cast<size_t>(finding.trace_size()));
  for (const OutlineRow& row : outline_of(finding)) {
    for (int n = row.first; n <= row.last; ++n) steps[static_cast<size_t>(n)].row = row.step;
    StepOutline& shown = steps[static_cast<size_t>(row.step)];
    shown.detail = row.detail;
    shown.summary = row.action;
  }
  return steps;
}

std::vector<OutlineRow> rows_shown(const v1::Finding& finding, Detail detail) {
  std::vector<OutlineRow> rows;
  if (detail == Detail::Everything) {
    for (int n = 0; n < finding.trace_size(); ++n)
      rows.push_back({n, n, n, Detail::Everything, finding.trace(n).action()});
    return rows;
  }
  for (OutlineRow& row : outline_of(finding))
    if (row.detail <= detail) rows.push_back(std::move(row));
  return rows;
}

}  // namespace heddle::client
