#include "server/explore/pair.h"

#include <algorithm>

#include "server/explore/instances.h"
#include "server/explore/pairwise_search.h"
#include "server/explore/relevance.h"
#include "server/explore/value_order.h"

namespace heddle::explore {

using machine::CodeAddress;
using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::ThreadId;

namespace {

// What was learned in one search and is known from the beginning in the next.
struct Learned {
  std::vector<CodeAddress> approaches;  // where T_i takes the outermost lock that it holds at l_mod
  std::vector<Footprint> touched;       // what T_i does in l_mod, and the locks it holds there

  bool add(const Footprint& footprint) {
    constexpr size_t kTouchedMax = 64;
    const auto covers = [&](const Footprint& known) {
      return known.count == footprint.count &&
             std::equal(known.ranges.begin(), known.ranges.begin() + known.count, footprint.ranges.begin(),
                        [](const TouchedRange& a, const TouchedRange& b) {
                          return a.space == b.space && a.mode == b.mode && a.object == b.object && a.begin == b.begin &&
                                 a.end == b.end;
                        });
    };
    if (footprint.count == 0 || touched.size() >= kTouchedMax) return false;
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
  InstancePair pair;
  Instances& instances;
  Learned& learned;
  const std::vector<bool>* objects;  // relevant ones; null: all
  bool detects_races;
  ValueOrder values{driver.machine()};
  ScheduleSource schedule{};
  bool grew = false;
  bool came = false;  // T_i has stood at l_mod

  Machine& machine() const { return driver.machine(); }
  ThreadId modified() const { return first.find(machine(), pair.modified); }
  ThreadId other() const {
    const ThreadId found = second.find(machine(), pair.other);
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
    return takes_lock(operation.kind) &&
           std::find(learned.approaches.begin(), learned.approaches.end(), operation.at) != learned.approaches.end();
  }
  void reached() {
    came = true;
    reporter.reached_fragment();
  }
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
        if (done.thread != thread || !takes_lock(done.kind) || done.object != lock) continue;
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
    // A thread that holds a lock that T_i waits for keeps it from l_mod: stopping there equals continuing later.
    const bool releases = machine::gives_lock(operation.kind);
    for (const Footprint& known : learned.touched) {
      if (dependent(known, touched) && !(releases && known.ranges[0].waits)) return true;
    }
    if (releases) return false;
    if (touched.count == 0 || touched.ranges[0].space == TouchSpace::Thread) return false;
    const analysis::ObjectId object = machine().static_object(operation.object);
    return object.valid() &&
           std::find(fragment.objects.begin(), fragment.objects.end(), object) != fragment.objects.end();
  }
  // A pair that learns something begins again at once.
  bool stepped(ThreadId thread) {
    instances.stepped(machine(), thread);
    return reporter.stepped(driver, thread, schedule) && !grew;
  }
  void about_to(ThreadId thread) { values.about_to(thread); }
  bool used_unsynchronised_read(ThreadId thread) const {
    return detects_races && values.used_unsynchronised_read(thread);
  }
  void ended(PathEnd how) { reporter.ended(driver, how, schedule); }
  void beyond(Beyond what) { reporter.beyond(what, schedule); }
  bool cycle_closed() { return reporter.cycle_closed(driver, schedule); }
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

// Explores one pair of instances, again and again until nothing more is learned. Has T_i stood at l_mod?
bool search_instances(Driver& driver, Reporter& reporter, const Task& task, const RoleThreads& first,
                      const RoleThreads& second, InstancePair pair, Instances& instances) {
  const machine::Mark start = driver.mark();
  const std::vector<bool>* objects = task.relevant.empty() ? nullptr : &task.relevant;
  Learned learned;
  bool came = false, with_clocks = false;
  while (true) {
    PairClient client{driver, reporter,  task.fragment, first,   second,
                      pair,   instances, learned,       objects, task.machine.detect_races};
    PairwiseSearch<Driver, PairClient> search(driver, client, task.reductions, reporter.statistics(), with_clocks);
    client.schedule = [&] { return search.schedule(); };
    search.run();
    with_clocks = search.with_clocks();
    came |= client.came;
    driver.rewind(start);
    if (!client.grew || reporter.stopped()) return came;
  }
}

}  // namespace

void search_pair(Driver& driver, Reporter& reporter, const analysis::Facts* facts, const Task& task) {
  const RoleThreads first(facts, task.modified.role), second(facts, task.other.role);
  reporter.add_visible(plain_accesses(driver.machine().program(), task.fragment));
  Instances instances(facts, task.modified, task.other);
  InstancePair pair{task.modified.instance, task.other.instance};
  bool came = search_instances(driver, reporter, task, first, second, pair, instances);
  for (const InstancePair next : instances.further()) {
    if (reporter.stopped()) return;
    if (!came && next.modified == pair.modified) continue;  // with this one it would not come to the change either
    came = search_instances(driver, reporter, task, first, second, next, instances);
    pair = next;
  }
}

}  // namespace heddle::explore
