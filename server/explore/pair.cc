#include "server/explore/pair.h"

#include <algorithm>

#include "server/detect/locks.h"
#include "server/explore/pairwise_search.h"
#include "server/explore/relevance.h"

namespace heddle::explore {

using machine::CodeAddress;
using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::ThreadId;

namespace {

// Finds the threads of a role among those of the current state.
class RoleThreads {
 public:
  RoleThreads(const analysis::Facts* facts, const edit::ThreadName& name) : instance_(name.instance) {
    if (facts == nullptr || !name.role.valid() || name.role.value >= facts->roles.size()) return;
    const analysis::Role& role = facts->roles[name.role.value];
    entry_ = role.entry;
    callable_ = role.callable;
    // Two roles of one entry function differ in who starts them, or in what they are given.
    for (size_t n = 0; n < facts->roles.size(); ++n) {
      if (n == name.role.value || facts->roles[n].entry != entry_) continue;
      created_at_ = role.created_at;
      others_.push_back(facts->roles[n].callable);
    }
  }

  ThreadId find(const Machine& machine) const {
    if (!entry_.valid()) return {};
    uint32_t left = instance_;
    for (uint32_t n = 0; n < machine.thread_count(); ++n) {
      const ThreadId thread(n);
      if (machine.entry_function(thread) != entry_) continue;
      if (callable_.valid() && is_given_other(machine, thread)) continue;
      if (!created_at_.empty() &&
          std::find(created_at_.begin(), created_at_.end(), machine.created_at(thread)) == created_at_.end()) {
        continue;
      }
      if (left-- == 0) return thread;
    }
    return {};
  }

 private:
  // What a thread was given may not show, in a std::packaged_task for instance: it is then of all these roles.
  bool is_given_other(const Machine& machine, ThreadId thread) const {
    const auto given = machine.given_functions(thread);
    const auto is_given = [&](program::FunctionId f) {
      return std::find(given.begin(), given.end(), f) != given.end();
    };
    return !is_given(callable_) && std::any_of(others_.begin(), others_.end(), is_given);
  }

  program::FunctionId entry_, callable_;
  std::vector<program::FunctionId> others_;  // callables of the other roles with this entry
  uint32_t instance_ = 0;
  std::vector<CodeAddress> created_at_;
};

// What was learned in one search and is known from the beginning in the next.
struct Learned {
  std::vector<CodeAddress> approaches;  // where T_i takes the outermost lock that it holds at l_mod
  std::vector<Footprint> touched;       // what T_i does in l_mod, and the locks it holds there

  bool add(const Footprint& footprint) {
    constexpr size_t kTouchedMost = 64;
    const auto covers = [&](const Footprint& known) {
      return known.count == footprint.count &&
             std::equal(known.ranges.begin(), known.ranges.begin() + known.count, footprint.ranges.begin(),
                        [](const TouchedRange& a, const TouchedRange& b) {
                          return a.space == b.space && a.mode == b.mode && a.object == b.object && a.begin == b.begin &&
                                 a.end == b.end;
                        });
    };
    if (footprint.count == 0 || touched.size() >= kTouchedMost) return false;
    if (std::any_of(touched.begin(), touched.end(), covers)) return false;
    touched.push_back(footprint);
    return true;
  }
};

struct PairClient {
  Driver& driver;
  Reporter& reporter;
  const edit::Fragment& fragment;
  const RoleThreads& first;
  const RoleThreads& second;
  Learned& learned;
  const std::vector<bool>* objects;  // relevant ones; null: all
  ScheduleSource schedule;
  bool grew = false;

  Machine& machine() const { return driver.machine(); }
  ThreadId modified() const { return first.find(machine()); }
  ThreadId other() const {
    const ThreadId found = second.find(machine());
    return found.valid() && found == modified() ? ThreadId{} : found;
  }

  bool in_code(const CodeAddress& at) const {
    return at.function == fragment.function && std::binary_search(fragment.code.begin(), fragment.code.end(), at.index);
  }
  int64_t fragment_position(ThreadId thread) const {
    const CodeAddress here = machine().position(thread);
    if (in_code(here)) return 2 * int64_t{here.index};
    const std::vector<CodeAddress> stack = machine().call_stack(thread);
    for (size_t n = 0; n < stack.size(); ++n) {
      if (in_code(stack[n])) return 2 * int64_t{stack[n].index} + (n > 0);
    }
    return -1;
  }
  bool approaches(ThreadId thread) const {
    if (learned.approaches.empty()) return false;
    const Operation& operation = machine().pending(thread);
    return detect::takes_lock(operation.kind) &&
           std::find(learned.approaches.begin(), learned.approaches.end(), operation.at) != learned.approaches.end();
  }
  void reached() { reporter.reached_fragment(); }
  bool arrived(ThreadId thread) {
    const std::vector<Pointer> held = machine().locks_held(thread);
    if (held.empty()) return true;
    const auto& events = machine().events();
    size_t outermost = events.size();
    for (const Pointer lock : held) {
      Footprint footprint;
      footprint.add(TouchSpace::Synchronisation, TouchMode::Write, lock.object(), lock.offset(), 1, Releases::Nothing,
                    true);
      grew |= learned.add(footprint);
      for (size_t n = events.size(); n-- > 0;) {
        const Operation& done = events[n].operation;
        if (done.thread != thread || !detect::takes_lock(done.kind) || done.object != lock) continue;
        outermost = std::min(outermost, n);
        break;
      }
    }
    if (outermost == events.size()) return !grew;
    const CodeAddress at = events[outermost].operation.at;
    if (std::find(learned.approaches.begin(), learned.approaches.end(), at) == learned.approaches.end()) {
      learned.approaches.push_back(at);
      grew = true;
    }
    return !grew;
  }
  void touches(const Operation& operation) { grew |= learned.add(footprint(operation)); }
  bool reduces() const { return objects != nullptr; }
  bool relevant(const Operation& operation) const { return Relevance{machine(), objects}(operation); }
  bool interesting(const Operation& operation) const {
    const Footprint touched = footprint(operation);
    // Who holds a lock that T_i waits for keeps it from l_mod: to stop there is the same as to go on later.
    const bool releases = operation.kind == OperationKind::Unlock || operation.kind == OperationKind::ReadWriteUnlock;
    for (const Footprint& known : learned.touched) {
      if (dependent(known, touched) && !(releases && known.ranges[0].waits)) return true;
    }
    if (releases) return false;
    if (touched.count == 0 || touched.ranges[0].space == TouchSpace::Thread) return false;
    const analysis::ObjectId object = machine().static_object(operation.object);
    return object.valid() &&
           std::find(fragment.objects.begin(), fragment.objects.end(), object) != fragment.objects.end();
  }
  // Whoever learns something begins again at once.
  bool stepped(ThreadId thread) { return reporter.stepped(driver, thread, schedule) && !grew; }
  void ended(PathEnd how) { reporter.ended(driver, how, schedule); }
  void beyond(Beyond what) { reporter.beyond(what); }
  bool goes_round() { return reporter.goes_round(driver, schedule); }
};

// T_i has to stop at l_mod even if the changed statement is a plain access.
std::vector<CodeAddress> plain_accesses(const program::Program& program, const edit::Fragment& fragment) {
  std::vector<CodeAddress> result;
  if (!fragment.function.valid()) return result;
  for (const CodeAddress at : fragment.inside) {
    const auto accesses = accesses_at(program, at);
    result.insert(result.end(), accesses.begin(), accesses.end());
  }
  for (const uint32_t index : fragment.statements.empty() ? fragment.code : fragment.statements) {
    const auto accesses = accesses_at(program, {fragment.function, index});
    result.insert(result.end(), accesses.begin(), accesses.end());
  }
  return result;
}

}  // namespace

void search_pair(Driver& driver, Reporter& reporter, const analysis::Facts* facts, const Task& task) {
  const RoleThreads first(facts, task.modified), second(facts, task.other);
  reporter.add_visible(plain_accesses(driver.machine().program(), task.fragment));
  const machine::Mark start = driver.mark();
  const std::vector<bool>* objects = task.relevant.empty() ? nullptr : &task.relevant;
  Learned learned;
  while (true) {
    PairClient client{driver, reporter, task.fragment, first, second, learned, objects, {}};
    PairwiseSearch<Driver, PairClient> search(driver, client, task.reductions, reporter.statistics());
    client.schedule = [&] { return search.schedule(); };
    search.run();
    if (!client.grew || reporter.stopped()) return;
    driver.rewind(start);
  }
}

}  // namespace heddle::explore
