// What threads and the process are given and can ask for later, and what nothing else depends on: limits, priorities,
// processors, the hint of pthread_setconcurrency. A thread that is started begins with what its creator has.
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using models::after;
using models::done_int;
using models::failed;
using models::load;
using models::store;

constexpr uint64_t kAllProcessors = 3;  // the machine has two
constexpr int kNicest = 19, kLeastNice = -20;

struct Limit {
  uint64_t is_set = 0, now = 0, most = 0;
};
struct OfThread {
  uint64_t processors = 0;  // 0: all
  int32_t niceness = 0, cancel_type = 0;
};
struct Properties {
  uint64_t concurrency = 0;
  Limit limits[RLIM_NLIMITS];
  OfThread threads[kThreadsMax];
};
static_assert(sizeof(Properties) == kPropertyTable.size);

Pointer table(Guest& g) { return g.process_object(kPropertyTable.name, kPropertyTable.size); }
Pointer of_thread(Guest& g, uint32_t id) {
  return after(table(g), offsetof(Properties, threads) + sizeof(OfThread) * id);
}

// The thread that a process id names: 0 is the calling one. False if there is none.
bool thread_by_number(Guest& g, int32_t number, uint32_t& id) {
  const auto& s = static_cast<CallGuest&>(g).s;
  id = number == 0 ? g.thread().value : static_cast<uint32_t>(number - kProcess);
  return number == 0 || (number >= kProcess && id < s.threads_.limit() && s.threads_[id] != nullptr &&
                         s.threads_[id]->life != Life::None);
}

bool is_resource(int number) { return number >= 0 && number < static_cast<int>(RLIM_NLIMITS); }
Pointer limit_of(Guest& g, int number) {
  return after(table(g), offsetof(Properties, limits) + sizeof(Limit) * static_cast<uint64_t>(number));
}
bool read_limit(Guest& g, int number, Limit& limit) {
  if (!load(g, limit_of(g, number), limit)) return false;
  if (limit.is_set != 0) return true;
  limit.now = limit.most = ~uint64_t{0};
  if (number == RLIMIT_STACK) limit.now = static_cast<CallGuest&>(g).s.options_.stack_size;
  return true;
}

Status getrlimit_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_resource(number)) return failed(g, EINVAL);
  Limit limit;
  if (!read_limit(g, number, limit)) return Status::Faulted;
  const uint64_t both[2] = {limit.now, limit.most};
  return store(g, g.pointer(1), both) ? done_int(g, 0) : Status::Faulted;
}

Status setrlimit_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_resource(number)) return failed(g, EINVAL);
  if (number == RLIMIT_STACK) return g.fault(FaultKind::Unsupported, "another size of main's stack");
  Limit limit;
  uint64_t wanted[2];
  if (!read_limit(g, number, limit) || !load(g, g.pointer(1), wanted)) return Status::Faulted;
  if (wanted[0] > wanted[1]) return failed(g, EINVAL);
  if (wanted[1] > limit.most) return failed(g, EPERM);
  return store(g, limit_of(g, number), Limit{1, wanted[0], wanted[1]}) ? done_int(g, 0) : Status::Faulted;
}

Status change_niceness(Guest& g, uint32_t id, int wanted, int refused, bool gives_it) {
  const Pointer at = of_thread(g, id);
  OfThread thread;
  if (!load(g, at, thread)) return Status::Faulted;
  wanted = std::clamp(wanted, kLeastNice, kNicest);
  if (wanted < thread.niceness) return failed(g, refused);
  thread.niceness = wanted;
  return store(g, at, thread) ? done_int(g, gives_it ? wanted : 0) : Status::Faulted;
}

Status nice_(Guest& g) {
  OfThread thread;
  if (!load(g, of_thread(g, g.thread().value), thread)) return Status::Faulted;
  const int added = std::clamp(g.int_argument(0), kLeastNice - kNicest, kNicest - kLeastNice);
  return change_niceness(g, g.thread().value, thread.niceness + added, EPERM, true);
}

// getpriority and setpriority of a group of processes, or of all of a user.
Status of_several(Guest& g) {
  return g.fault(FaultKind::Unsupported, "the priority of a group of processes or of a user (PRIO_PGRP, PRIO_USER)");
}

Status getpriority_(Guest& g) {
  const int which = g.int_argument(0);
  if (which < PRIO_PROCESS || which > PRIO_USER) return failed(g, EINVAL);
  uint32_t id;
  if (which == PRIO_PROCESS && !thread_by_number(g, g.int_argument(1), id)) return failed(g, ESRCH);
  OfThread thread;
  for (uint32_t n = 0; n < kThreadsMax && which != PRIO_PROCESS; ++n) {
    if (!load(g, of_thread(g, n), thread)) return Status::Faulted;
    if (thread.niceness != 0) return of_several(g);
  }
  if (which != PRIO_PROCESS) return done_int(g, 0);
  return load(g, of_thread(g, id), thread) ? done_int(g, thread.niceness) : Status::Faulted;
}

Status setpriority_(Guest& g) {
  const int which = g.int_argument(0);
  if (which < PRIO_PROCESS || which > PRIO_USER) return failed(g, EINVAL);
  if (which != PRIO_PROCESS) return of_several(g);
  uint32_t id;
  if (!thread_by_number(g, g.int_argument(1), id)) return failed(g, ESRCH);
  return change_niceness(g, id, g.int_argument(2), EACCES, false);
}

// sched_getaffinity(pid, size, set), pthread_getaffinity_np(thread, size, set). 0, or the error.
int give_processors(Guest& g, uint32_t id, bool& good) {
  const uint64_t size = g.argument(1);
  if (size < 8 || size % 8 != 0) return EINVAL;
  OfThread thread;
  good = load(g, of_thread(g, id), thread);
  const uint64_t processors = thread.processors == 0 ? kAllProcessors : thread.processors;
  good = good && g.fill(g.pointer(2), 0, size) && store(g, g.pointer(2), processors);
  return 0;
}
int take_processors(Guest& g, uint32_t id, bool& good) {
  uint64_t wanted = 0;
  good = g.read(g.pointer(2), &wanted, static_cast<uint32_t>(std::min<uint64_t>(g.argument(1), 8)));
  if (!good) return 0;
  if ((wanted & kAllProcessors) == 0) return EINVAL;
  OfThread thread;
  good = load(g, of_thread(g, id), thread);
  thread.processors = wanted & kAllProcessors;
  good = good && store(g, of_thread(g, id), thread);
  return 0;
}

using Processors = int (*)(Guest&, uint32_t, bool&);
template <Processors act>
Status by_number(Guest& g) {
  uint32_t id;
  bool good = true;
  if (!thread_by_number(g, g.int_argument(0), id)) return failed(g, ESRCH);
  const int error = act(g, id, good);
  if (!good) return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}
template <Processors act>
Status by_handle(Guest& g) {
  const Thread* const named = named_thread(static_cast<CallGuest&>(g), "asks for or changes the processors of");
  if (named == nullptr) return Status::Faulted;
  bool good = true;
  const int error = named->life == Life::Ended ? ESRCH : act(g, named->id, good);
  return good ? done_int(g, error) : Status::Faulted;
}

Status getconcurrency_(Guest& g) {
  uint64_t level;
  return load(g, table(g), level) ? done_int(g, static_cast<int32_t>(level)) : Status::Faulted;
}
Status setconcurrency_(Guest& g) {
  const int level = g.int_argument(0);
  if (level < 0) return done_int(g, EINVAL);
  return store(g, table(g), static_cast<uint64_t>(level)) ? done_int(g, 0) : Status::Faulted;
}

}  // namespace

bool exchange_cancel_type(Guest& g, int32_t& type) {
  const Pointer at = after(of_thread(g, g.thread().value), offsetof(OfThread, cancel_type));
  int32_t old;
  if (!load(g, at, old) || (old != type && !store(g, at, type))) return false;
  type = old;
  return true;
}

void inherit_properties(Machine::State& s, Thread& parent, Thread& child) {
  const auto known = s.process_objects_.find(std::string_view(kPropertyTable.name));
  if (known == s.process_objects_.end()) return;
  const auto at = [&](const Thread& t) {
    return Pointer::make(known->second, static_cast<uint32_t>(offsetof(Properties, threads) + sizeof(OfThread) * t.id));
  };
  const uint64_t processors = s.peek(at(parent), 8);
  const uint64_t niceness = s.peek(after(at(parent), offsetof(OfThread, niceness)), 4);
  const OfThread given{processors, static_cast<int32_t>(niceness), 0};
  s.write(child, at(child), &given, sizeof given);
}

std::span<const BuiltinRow> property_builtins() {
  static const BuiltinRow rows[] = {
      {"getrlimit", getrlimit_},
      {"setrlimit", setrlimit_},
      {"nice", nice_},
      {"getpriority", getpriority_},
      {"setpriority", setpriority_},
      {"sched_getaffinity", by_number<give_processors>},
      {"sched_setaffinity", by_number<take_processors>},
      {"pthread_getaffinity_np", by_handle<give_processors>},
      {"pthread_setaffinity_np", by_handle<take_processors>},
      {"pthread_getconcurrency", getconcurrency_},
      {"pthread_setconcurrency", setconcurrency_},
  };
  return rows;
}

}  // namespace heddle::machine
