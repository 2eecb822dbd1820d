// Data races by happens-before (FastTrack, Flanagan and Freund 2009): an epoch per granule for the last write and the
// last read, a clock where reads are concurrent. Atomic accesses are kept per location, because they may be unordered
// among themselves.
#include <algorithm>
#include <bit>
#include <span>
#include <unordered_set>
#include <vector>

#include "server/analysis/library.h"
#include "server/library/link_names.h"
#include "server/machine/hashing.h"
#include "server/machine/memory/bit_fields.h"
#include "server/machine/memory/stack_escape.h"
#include "server/machine/state.h"
#include "server/program/operands.h"
#include "server/program/select.h"

namespace heddle::machine {
namespace {

uint8_t shift_for(uint64_t bits) {  // of the largest granule that offset and size are multiples of
  return bits % 8 == 0 ? 3 : bits % 4 == 0 ? 2 : bits % 2 == 0 ? 1 : 0;
}

bool can_race(const Object& o) {
  return !(o.flags & kUnracy) && o.kind != ObjectKindHost::Constant && o.kind != ObjectKindHost::Function &&
         (o.kind != ObjectKindHost::External || o.write_size != 0);
}

// A second thread reads it, not ordered with the first: from now on there are clocks of readers and their places. The
// cell is saved.
void begin_many_readers(Machine::State& s, const Thread& t, ShadowCell& cell, uint32_t at, uint64_t begin) {
  const uint32_t readers = s.clocks_.make(), places = s.clocks_.make(), other = cell.read_epoch >> 24;
  s.clocks_.at(readers).at[other] = cell.read_epoch & 0xffffff;
  s.clocks_.at(places).at[other] = cell.read_at;
  s.clocks_.at(readers).at[t.id] = t.events + 1;
  s.clocks_.at(places).at[t.id] = at;
  s.shadow_.set(cell, false, kManyReaders | readers, places, begin);
}

// An access of a thread to bytes that others may access: each granule against its shadow.
class SharedAccess {
 public:
  SharedAccess(Machine::State& s, Thread& t, const Object& o, uint64_t pointer, uint64_t size, bool write, uint32_t pc)
      : s_(s),
        t_(t),
        mine_(s.clocks_.at(t.clock)),
        pointer_(pointer),
        size_(size),
        write_(write),
        latest_(s.latest_access_ || s.spin_.records_reads() || s.options_.record_plain_accesses),
        logged_(header_of(o.shadow).born < s.undo_.mark()),
        pc_(pc),
        epoch_(s.clocks_.now(t)) {}

  void write(ShadowCell& cell, uint64_t begin) {
    if (unordered(cell.write_epoch)) report(cell.write_epoch, cell.write_at, "writes");
    if (cell.read_epoch >= kManyReaders) {
      const Clock& readers = s_.clocks_.at(cell.read_epoch & 0xffffff);
      const Clock& places = s_.clocks_.at(cell.read_at);
      for (uint32_t u = 0; u < s_.threads_.limit(); ++u)
        if (u != t_.id && readers.at[u] > mine_.at[u]) report(epoch_of(u, readers.at[u]), places.at[u], "reads");
    } else if (unordered(cell.read_epoch)) {
      report(cell.read_epoch, cell.read_at, "reads");
    }
    auto* const words = reinterpret_cast<uint64_t*>(&cell);
    if (cell.write_epoch != epoch_ || (latest_ && s_.sites_.at(cell.write_at).pc != pc_)) {
      note();
      if (s_.frees_) return;  // nothing is remembered of what is about to go
      if (logged_) s_.undo_.word(words);
      s_.shadow_.set(cell, true, epoch_, here(), place(begin));
    }
    if (cell.read_epoch != 0 && !s_.frees_) {
      if (logged_) s_.undo_.word(words + 1);
      s_.shadow_.set(cell, false, 0, 0, place(begin));
    }
  }

  // True: clocks were made, and may have moved.
  bool read(ShadowCell& cell, uint64_t begin, uint64_t next) {
    if (unordered(cell.write_epoch)) report(cell.write_epoch, cell.write_at, "writes");
    if (cell.read_epoch >= kManyReaders) {
      if (s_.clocks_.at(cell.read_epoch & 0xffffff).at[t_.id] == t_.events + 1 && !s_.latest_access_) return false;
      s_.shadow_.add_reader(t_, cell, here(), hash_span(begin, next), static_cast<uint32_t>(pointer_ >> 32));
      note();
      return false;
    }
    const bool second = unordered(cell.read_epoch);
    if (!second && cell.read_epoch == epoch_ && !s_.latest_access_) return false;
    note();
    if (logged_) s_.undo_.word(reinterpret_cast<uint64_t*>(&cell) + 1);
    if (second)
      begin_many_readers(s_, t_, cell, here(), place(begin));
    else
      s_.shadow_.set(cell, false, epoch_, here(), place(begin));
    return second;
  }

 private:
  bool unordered(uint32_t e) const { return e != 0 && (e >> 24) != t_.id && mine_.at[e >> 24] < (e & 0xffffff); }
  uint64_t place(uint64_t begin) const { return (pointer_ >> 32 << 32) + begin; }
  uint32_t here() { return site_ != 0 ? site_ : site_ = s_.site_of(t_, pc_); }

  void note() {  // the first access of the step to these bytes, or the first write
    if (!noted_) s_.note_access(t_, pointer_, size_, write_, pc_);
    noted_ = true;
  }

  void report(uint32_t other_epoch, uint32_t at, const char* other_verb) {
    const char* const verb = s_.frees_ ? "frees" : write_ ? "writes" : "reads";
    if (!reported_)
      s_.report_race(t_, pointer_, static_cast<uint32_t>(size_), verb, other_epoch >> 24, at, other_verb);
    else
      s_.raced_with_reported_.insert(s_.image_->address(s_.sites_.at(at).pc));
    reported_ = true;
  }

  Machine::State& s_;
  Thread& t_;
  const Clock& mine_;
  const uint64_t pointer_, size_;
  const bool write_;
  // Of one thread in one step the first write counts, for the loop does not even come here for the next; else the last.
  const bool latest_;
  const bool logged_;  // the shadow is older than the mark
  const uint32_t pc_, epoch_;
  uint32_t site_ = 0;  // 0: not known yet
  bool noted_ = false, reported_ = false;
};

}  // namespace

bool Machine::State::only_here(const Thread& t, const Object& o, uint64_t pointer) const {
  const uint32_t number = Pointer{pointer}.object(), first = first_stack_object(t.id);
  return o.kind == ObjectKindHost::Stack && !(o.flags & kEscaped) && number >= first &&
         number < first + t.stack_objects;
}

void Machine::State::note_access(Thread& t, uint64_t pointer, uint64_t size, bool write, uint32_t pc) {
  t.step_accesses += combine(pointer, size << 34 | uint64_t{pc} << 1 | write) | 1;
  recent_.push_back({pointer, size, write, t.recent_accesses});
  t.recent_accesses = static_cast<uint32_t>(recent_.size());
}

void Machine::State::access_shared(Thread& t, Object& o, uint64_t pointer, uint64_t size, bool write) {
  const uint32_t pc = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  if (spin_.records_reads() && !write && !only_here(t, o, pointer)) spin_.note_read(t, pointer, size, pc);
  if (options_.record_plain_accesses && !(o.flags & kUnracy) && o.kind != ObjectKindHost::Constant)
    record_access(t, pointer, size, write, pc);
  if (!options_.detect_races || !(can_race(o) || use_format(t, o, pointer, size, write))) return;
  const uint32_t offset = static_cast<uint32_t>(pointer);
  const bool to_end = offset + size == o.full_size;
  const uint8_t shift = shift_for(to_end ? offset : offset | size);
  if (o.shadow == nullptr)
    shadow_.refine(o, to_end && size < 8 ? std::min(shift, shift_for(size)) : shift);
  else if (shift < o.shadow_shift)
    shadow_.refine(o, shift);
  const uint64_t end = offset + size;
  if (offset % 8 != 0) shadow_.split(o, offset);
  if (end % 8 != 0 && !to_end) shadow_.split(o, static_cast<uint32_t>(end));
  SharedAccess access(*this, t, o, pointer, size, write, pc);
  for (uint64_t begin = offset, next = 0; begin < end; begin = next) {
    ShadowCell& cell = shadow_cell(o.shadow, o.shadow_shift, static_cast<uint32_t>(begin));
    next = begin + (8u >> cell.halvings);
    if (write)
      access.write(cell, begin);
    else if (access.read(cell, begin, next))
      return access_shared_rest(t, o, pointer, size, write, next);
  }
  if (HEDDLE_UNLIKELY(o.flags & kHasAtomics)) check_atomics(t, pointer, size, write);
}

// Every destructor first stores the address of its class's virtual table. In the most derived class that is what stands
// there: nothing changes, and a concurrent virtual call sees the same. So such a store is no write. The destructor of a
// base class stores another address, and what frees the memory or ends the variable's life is a write as ever.
bool Machine::State::is_virtual_table(uint64_t pointer) const {
  const Object& o = *memory_.find(pointer);
  if (o.kind != ObjectKindHost::Constant && o.kind != ObjectKindHost::Global) return false;
  const program::GlobalId id(o.made_at);
  const std::string_view name =
      image_->program->unit(image_->program->unit_of(id)).symbols[image_->program->global(id).symbol.value].name;
  return library::is_virtual_table(name) || library::is_construction_table(name);
}

void Machine::State::access_shared_rest(Thread& t, Object& o, uint64_t pointer, uint64_t size, bool write,
                                        uint64_t from) {
  const uint64_t end = static_cast<uint32_t>(pointer) + size;
  if (from < end) {
    const bool recording = spin_.record_reads(false), record = options_.record_plain_accesses;
    options_.record_plain_accesses = false;
    access_shared(t, o, (pointer >> 32 << 32) + from, end - from, write);
    spin_.record_reads(recording);
    options_.record_plain_accesses = record;
  } else if (o.flags & kHasAtomics) {
    check_atomics(t, pointer, size, write);
  }
}

// The end of a local variable's life is no scheduling point: a use that is not ordered before it is reported here,
// whichever of the two came first on this path.
void Machine::State::check_end_of_life(Thread& t, const Object& o, uint32_t number) {
  constexpr const char* kVerb = "ends the life of";
  const uint64_t pointer = uint64_t{number} << 32;
  const Clock& mine = clocks_.at(t.clock);
  const auto report = [&](uint32_t offset, uint32_t other, uint32_t at, const char* verb) {
    const auto size = std::min<uint32_t>(1u << o.shadow_shift, o.full_size - offset);
    report_race(t, pointer + offset, size, kVerb, other, at, verb);
    return false;
  };
  const auto unordered = [&](uint32_t e) { return e != 0 && (e >> 24) != t.id && mine.at[e >> 24] < (e & 0xffffff); };
  note_access(t, pointer, o.full_size, true, t.pc);
  for_each_granule(o.shadow, o.shadow_shift, 0, o.full_size, [&](const ShadowCell& cell, uint32_t offset, uint32_t) {
    if (unordered(cell.write_epoch)) return report(offset, cell.write_epoch >> 24, cell.write_at, "writes");
    if (cell.read_epoch < kManyReaders)
      return !unordered(cell.read_epoch) || report(offset, cell.read_epoch >> 24, cell.read_at, "reads");
    const Clock& readers = clocks_.at(cell.read_epoch & 0xffffff);
    const Clock& places = clocks_.at(cell.read_at);
    for (uint32_t u = 0; u < threads_.limit(); ++u)
      if (u != t.id && readers.at[u] > mine.at[u]) return report(offset, u, places.at[u], "reads");
    return true;
  });
}

// An operation on a lock, condition variable or semaphore in a heap block counts as an atomic read of its first byte:
// a free of the block that is not ordered after it is a race, and so becomes a scheduling point.
void Machine::State::use_synchronisation(Thread& t, const Operation& op) {
  switch (op.kind) {
    case OperationKind::Lock:
    case OperationKind::Unlock:
    case OperationKind::ReadLock:
    case OperationKind::WriteLock:
    case OperationKind::WriteRequest:
    case OperationKind::ReadWriteUnlock:
    case OperationKind::Wait:
    case OperationKind::Signal:
    case OperationKind::Broadcast:
    case OperationKind::SemaphoreWait:
    case OperationKind::SemaphorePost:
    case OperationKind::OnceEnter: break;
    default: return;
  }
  if (!root_.tracking || op.object.object() == 0) return;
  Object& o = memory_.at(op.object.object());
  if (o.shadow != nullptr && o.kind != ObjectKindHost::Heap && op.object.offset() + 4 <= o.full_size)
    return check_use_of_sync(t, o, op.object);
  if (op.kind == OperationKind::OnceEnter) return;
  if (o.kind == ObjectKindHost::Heap && !(o.flags & kFreed) && op.object.offset() < o.full_size)
    access_atomic(t, o, op.object, 1, true, false);
}

// A plain access against atomic accesses of the same bytes.
void Machine::State::check_atomics(Thread& t, uint64_t pointer, uint64_t size, bool write) {
  if (write && !frees_ && sync_objects_.may_lie_in(pointer, size)) overwrites_sync(t, pointer, size);
  const Clock& mine = clocks_.at(t.clock);
  const auto check = [&](const AtomicLocation& l) {
    if (l.address >> 32 != pointer >> 32 || l.address + l.size <= pointer || pointer + size <= l.address) return;
    for (uint32_t u = 0; u < threads_.limit(); ++u) {
      if (u == t.id) continue;
      if (clocks_.at(l.writes).at[u] > mine.at[u])
        report_race(t, pointer, static_cast<uint32_t>(size), write ? "writes" : "reads", u,
                    clocks_.at(l.writes_at).at[u], "writes atomically");
      else if (write && clocks_.at(l.reads).at[u] > mine.at[u])
        report_race(t, pointer, static_cast<uint32_t>(size), "writes", u, clocks_.at(l.reads_at).at[u],
                    "reads atomically");
    }
  };
  if (size > 32) {
    for (const AtomicLocation* const l : atomics_.all()) check(*l);
    return;
  }
  atomics_.for_each(pointer, size, [&](const AtomicLocation& l) {
    check(l);
    return true;
  });
}

void Machine::State::access_atomic(Thread& t, Object& o, Pointer at, uint32_t size, bool reads, bool writes) {
  if (!options_.detect_races || !can_race(o)) return;
  if (!(o.flags & kHasAtomics)) {
    undo_.touch(o);
    o.flags |= kHasAtomics;
  }
  if (orders_nothing()) return;
  AtomicLocation& l = atomic_location(at, size);
  if (o.shadow != nullptr && root_.tracking) {
    const Clock& mine = clocks_.at(t.clock);
    const auto unordered = [&](uint32_t e) { return e != 0 && (e >> 24) != t.id && mine.at[e >> 24] < (e & 0xffffff); };
    const char* const verb = writes ? "writes atomically" : "reads atomically";
    bool reported = false;
    const auto check = [&](const ShadowCell& cell, uint32_t, uint32_t) {
      if (unordered(cell.write_epoch)) {
        report_race(t, at.bits, size, verb, cell.write_epoch >> 24, cell.write_at, "writes");
        reported = true;
      } else if (writes && cell.read_epoch >= kManyReaders) {
        const Clock& readers = clocks_.at(cell.read_epoch & 0xffffff);
        const Clock& places = clocks_.at(cell.read_at);
        for (uint32_t u = 0; u < threads_.limit() && !reported; ++u) {
          if (u == t.id || readers.at[u] <= mine.at[u]) continue;
          report_race(t, at.bits, size, verb, u, places.at[u], "reads");
          reported = true;
        }
      } else if (writes && unordered(cell.read_epoch)) {
        report_race(t, at.bits, size, verb, cell.read_epoch >> 24, cell.read_at, "reads");
        reported = true;
      }
      return !reported;
    };
    for_each_granule(o.shadow, o.shadow_shift, at.offset(), uint64_t{at.offset()} + size, check);
  }
  const uint32_t here = site_of(t, t.pc);
  const auto record = [&](uint32_t counts, uint32_t places) {
    Clock& c = clocks_.at(counts);
    Clock& p = clocks_.at(places);
    clocks_.touch(c);
    clocks_.touch(p);
    c.at[t.id] = t.events + 1;
    p.at[t.id] = here;
  };
  if (reads) record(l.reads, l.reads_at);
  if (writes) record(l.writes, l.writes_at);
}

// std::atomic<shared_ptr> of libstdc++ 12 reads under a lock in the pointer's lowest bit and gives it back relaxed.
// Only compilers for weaker machines than ours may make something of that, and a user cannot help it.
bool Machine::State::inside_atomic_shared_pointer(uint32_t pc, uint32_t other) const {
  const auto inside = [&](uint32_t at) {
    const std::string name = image_->program->stable_name(image_->address(at).function);
    return library::is_of_atomic_shared_pointer(name);
  };
  return in_library(pc) && in_library(other) && (inside(pc) || inside(other));
}

// What a function of the C library keeps for itself is the caller's concern; if that is the library, too (the
// distributions of <random> call lgamma), a user cannot help it.
bool Machine::State::hidden_by_library(const Thread& t, uint64_t pointer) const {
  const Object& o = *memory_.find(pointer);
  const program::Program& program = *image_->program;
  if (o.kind != ObjectKindHost::Global) return false;
  if (program.unit(program.unit_of(program::GlobalId(o.made_at))).path != program::kLibraryState) return false;
  for (const uint32_t pc : stack_of(t))
    if (!program.unit(program.unit_of(image_->address(pc).function)).path.starts_with(program::kLibraryFolder))
      return in_library(pc);
  return false;
}

// Two calls of the library that use one of its variables (analysis::LibraryVariable::unlocked).
bool Machine::State::locked_by_library(uint64_t pointer, uint32_t pc, uint32_t other) const {
  const auto is_call = [this](uint32_t at) {
    const CodeAddress address = image_->address(at);
    return address.function.valid() && program::is_call(image_->program->instruction(address).op);
  };
  if (!is_call(pc) || !is_call(other)) return false;
  const std::string name = name_of({pointer}, 0);
  return std::any_of(std::begin(library::kVariables), std::end(library::kVariables),
                     [&](const auto& variable) { return !variable.unlocked && variable.name == name; });
}

void Machine::State::report_race(Thread& t, uint64_t pointer, uint32_t size, const char* verb, uint32_t other,
                                 uint32_t other_at, const char* other_verb) {
  const uint32_t pc = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  const AccessSite mine = sites_.at(site_of(t, pc)), theirs = sites_.at(other_at);
  if (inside_atomic_shared_pointer(pc, theirs.pc) || hidden_by_library(t, pointer) ||
      locked_by_library(pointer, pc, theirs.pc))
    return;
  const auto user = [&](const AccessSite& at) { return at.user == 0 ? CodeAddress{} : image_->address(at.user); };
  const CodeAddress here = image_->address(pc), there = image_->address(theirs.pc);
  for (const Fault& fault : faults_) {
    if (fault.kind != FaultKind::DataRace) continue;
    const FaultPlace &a = fault.places[0], &b = fault.places[1];
    const auto same = [&](const FaultPlace& place, CodeAddress at, const AccessSite& known) {
      return place.at == at && place.user == user(known);
    };
    if ((same(a, here, mine) && same(b, there, theirs)) || (same(a, there, theirs) && same(b, here, mine))) return;
  }
  Fault fault;
  fault.kind = FaultKind::DataRace;
  fault.thread = ThreadId(t.id);
  fault.address = {pointer};
  fault.size = size;
  fault.subject = subject_of({pointer}, size);
  const std::string name = name_of({pointer}, size);
  fault.message = std::string(verb) + " " + name + " while " + thread_name(other) + " " + other_verb +
                  " it, with nothing to order them" + shared_bits(*this, {pointer}, size);
  fault.places.push_back(place_of(t, std::string(verb) + " " + name));
  fault.places.push_back(place_at(theirs.pc, other, std::string(other_verb) + " " + name, theirs.user));
  faults_.push_back(std::move(fault));
}

// Of these events, in their order, those that are the last with their place and object; heap blocks that are freed by now
// count as one object.
std::vector<Event> Machine::State::last_of_each(std::span<const Event> events) const {
  std::unordered_set<uint64_t> seen;
  std::vector<Event> kept;
  for (size_t n = events.size(); n-- > 0;) {
    const Operation& done = events[n].operation;
    const Object& object = *memory_.find(done.object.bits);
    const bool freed = object.kind == ObjectKindHost::Heap && object.size == 0;
    const uint64_t what = (freed ? 0 : done.object.bits) + static_cast<uint64_t>(done.kind);
    if (seen.insert(mix(done.at.bits()) ^ mix(what)).second) kept.push_back(events[n]);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

// A loop that runs for long repeats its accesses, and the events of a step would fill the memory. Of the middle third
// of the last events, if they are plain ones of a thread, those stay that are the last of their kind.
void Machine::State::thin_out_events() {
  constexpr size_t kThird = 1 << 14;
  const size_t count = events_.size();
  if (count % kThird != 0 || count < 3 * kThird) return;
  const std::span<const Event> window = events_.all().last(3 * kThird);
  const ThreadId thread = window.back().operation.thread;
  for (const Event& event : window)
    if (event.visible || event.operation.thread != thread) return;
  replace_last_events(2 * kThird, last_of_each(window.subspan(kThird, kThird)), kThird);
}

// The same for what a thread does alone in one step. Looked at whenever there are twice as many: it may go over any
// number of objects.
void Machine::State::thin_out_alone() {
  constexpr size_t kLeast = 1 << 12, kNewest = 1 << 10;
  const size_t length = events_.size() - alone_from_;
  if (length < kLeast || !std::has_single_bit(length)) return;
  std::vector<Event> kept = last_of_each(events_.all().last(length).first(length - kNewest));
  if (kept.size() <= length / 2) replace_last_events(length, std::move(kept), kNewest);
}

// In the place of the last `count` events, without the newest ones of these.
void Machine::State::replace_last_events(size_t count, std::vector<Event> by, size_t newest) {
  const std::span<const Event> last = events_.all().last(newest);
  by.insert(by.end(), last.begin(), last.end());
  events_.shrink(events_.size() - count);
  for (const Event& event : by) events_.push_back(event);
}

void Machine::State::record_access(Thread& t, uint64_t pointer, uint64_t size, bool write, uint32_t pc) {
  if (skip_record_) {
    skip_record_ = false;
    return;
  }
  complete_record();
  Event event;
  event.visible = false;
  event.operation.kind = write ? OperationKind::Write : OperationKind::Read;
  event.operation.thread = ThreadId(t.id);
  event.operation.object = {pointer};
  event.operation.size = static_cast<uint32_t>(size);
  event.operation.alternatives = 1;
  event.operation.at = image_->address(pc);
  if (in_library(pc))
    if (const uint32_t user = user_pc(t); user != 0) event.user = image_->address(user);
  if (size <= 8) event.value_read = peek({pointer}, static_cast<uint32_t>(size));
  recorded_write_ = write && size <= 8;
  events_.push_back(event);
  alone_ ? thin_out_alone() : thin_out_events();
}

// The value of a recorded write is known once it has happened.
void Machine::State::complete_write() {
  if (!events_.empty()) {
    Event& event = events_.back();
    event.value_written = peek(event.operation.object, event.operation.size);
  }
  recorded_write_ = false;
}

}  // namespace heddle::machine
