// Objects that end with a frame, a scope or a thread: local variables, thread-local ones, and what code does not see.
#include <algorithm>

#include "server/library/function.h"
#include "server/machine/hashing.h"
#include "server/machine/memory/object_bytes.h"
#include "server/machine/memory/stack_escape.h"
#include "server/machine/state.h"

namespace heddle::machine {

uint8_t* Machine::State::take_stack_memory(Thread& t, uint64_t bytes) {
  constexpr uint64_t kChunk = 16 << 10;
  while (t.stack_chunk == nullptr || t.stack_memory + bytes > t.stack_chunk->end) {
    StackChunk* next = t.stack_chunk == nullptr ? nullptr : t.stack_chunk->next;
    if (next == nullptr || static_cast<uint64_t>(next->end - next->begin()) < bytes) {
      const uint64_t size = std::max(kChunk, round_up(bytes) * 2);
      next = static_cast<StackChunk*>(undo_.take(sizeof(StackChunk) + size));
      *next = {t.stack_chunk, nullptr, reinterpret_cast<uint8_t*>(next + 1) + size, 0};
      if (t.stack_chunk != nullptr) {
        next->base = t.stack_chunk->position(t.stack_chunk->end);
        uint64_t link = reinterpret_cast<uint64_t>(next);
        if (undo_.mark() != 0) undo_.word(reinterpret_cast<uint64_t*>(&t.stack_chunk->next));
        std::memcpy(&t.stack_chunk->next, &link, 8);
      }
    }
    t.stack_chunk = next;
    t.stack_memory = next->begin();
  }
  uint8_t* const result = t.stack_memory;
  t.stack_memory += bytes;
  const uint64_t low = t.stack_chunk->position(result), high = low + bytes;
  if (low < t.fresh_above && !(low >= t.saved_low && high <= t.saved_high)) {
    undo_.blob(result, bytes / 8);
    if (low <= t.saved_high && high >= t.saved_low) {
      t.saved_low = std::min(t.saved_low, low);
      t.saved_high = std::max(t.saved_high, high);
    } else {
      t.saved_low = low;
      t.saved_high = high;
    }
  }
  return result;
}

std::string stack_text(const Thread& t) {
  if (t.stack_size % (1 << 20) == 0) return std::to_string(t.stack_size >> 20) + " MB";
  if (t.stack_size % (1 << 10) == 0) return std::to_string(t.stack_size >> 10) + " KB";
  return std::to_string(t.stack_size) + " bytes";
}

// What a variable takes of the stack now.
static uint64_t room_of(const Object& o) { return (o.flags & kNotBegun) != 0 ? 0 : o.size; }

// A frame counts as its variables that are in memory, and 40 bytes. A page is the C library's: what it keeps of a
// thread, or the program's arguments. What compilers add is not known.
bool Machine::State::check_stack(Thread& t) {
  constexpr uint64_t kFrame = 40, kLibrarys = 4096;
  const uint64_t bytes = t.stack_bytes + t.depth * kFrame + kLibrarys;
  if (HEDDLE_LIKELY(bytes <= t.stack_size)) return true;
  return fault(t, FaultKind::StackOverflow,
               "local variables of nested calls need " + std::to_string(bytes) + " bytes, which the stack of " +
                   stack_text(t) + " does not hold");
}

uint64_t Machine::State::make_stack_object(Thread& t, uint64_t size, uint16_t declaration, bool begins_later) {
  if (size > options_.memory_limit || size >= (uint64_t{1} << 31) ||
      t.stack_objects >= ((kThreadChunks - kHeapChunks) << kChunkBits)) {
    fault(t, FaultKind::StackOverflow, "a local variable of " + std::to_string(size) + " bytes does not fit a stack");
    return 0;
  }
  const uint32_t number = first_stack_object(t.id) + t.stack_objects++;
  Object& o = memory_.make(number);
  undo_.touch(o);
  const uint64_t bytes = round_up(size), inits = init_bytes(size);
  o.data = take_stack_memory(t, bytes + inits);
  std::memset(o.data, 0, bytes + inits);
  o.init = o.data + bytes;
  o.size = o.write_size = o.full_size = static_cast<uint32_t>(size);
  o.shadow = nullptr;
  o.born = undo_.mark();
  o.made_at = t.pc;
  o.made_by = static_cast<uint8_t>(t.id);
  o.kind = ObjectKindHost::Stack;
  o.flags = begins_later ? kNotBegun : 0;
  o.declaration = declaration;
  memory_.begin_zeroed(number, o);
  t.stack_bytes += room_of(o);
  return begins_later || check_stack(t) ? uint64_t{number} << 32 : 0;
}

void note_stack_address(Machine::State& state, const Thread& t, uint64_t target, uint64_t value) {
  const uint32_t number = static_cast<uint32_t>(value >> 32), into = static_cast<uint32_t>(target >> 32);
  const uint32_t first = first_stack_object(t.id);
  if (number < first || number >= first + t.stack_objects) return;
  Object& o = state.memory_.at(number);
  // One whose scope has ended counts: compilers end it before they return its address.
  if (o.kind != ObjectKindHost::Stack || o.full_size == 0 || (o.flags & (kEscaped | kReturned))) return;
  if (into >= number && into < first + t.stack_objects) return;  // what points to it ends no later
  state.undo_.touch(o);
  o.flags |= kEscaped;
}

void Machine::State::end_stack_objects(Thread& t, uint32_t keep, bool returned) {
  const uint32_t first = first_stack_object(t.id);
  uint32_t used = keep;  // numbers below stay used
  while (t.stack_objects > keep) {
    --t.stack_objects;
    Object& o = memory_.at(first + t.stack_objects);
    if (HEDDLE_UNLIKELY(o.flags & kHasAtomics)) ends_in_use(t, first + t.stack_objects, "leaves the scope of");
    if (HEDDLE_UNLIKELY(o.shadow != nullptr && root_.tracking && options_.detect_races && o.full_size > 0))
      check_end_of_life(t, o, first + t.stack_objects);
    const bool retired = (o.flags & kReturned) != 0;
    t.stack_bytes -= room_of(o);
    if (o.size != 0 || o.write_size != 0 || o.shadow != nullptr)
      end_object(o, first + t.stack_objects, kReturned, t.pc, t.id);
    else if (!retired) {
      undo_.touch(o);
      o.flags |= kReturned;
    }
    if ((o.flags & kEscaped) && used == keep) used = t.stack_objects + 1;
    if (!returned && !retired) {  // a dynamic array ends in the middle of a function: its memory is free again
      while (o.data < t.stack_chunk->begin() || o.data > t.stack_chunk->end) t.stack_chunk = t.stack_chunk->previous;
      t.stack_memory = o.data;
    }
  }
  if (HEDDLE_LIKELY(used == keep)) return;
  uint32_t oldest = used;
  while (oldest > 0 && (memory_.at(first + oldest - 1).flags & kReturned)) --oldest;
  // Of more than there is room for, those declared first: the function's variables before what its calls need.
  if (used - oldest > kRetiredMost) used = oldest + kRetiredMost;
  while (used > keep && !(memory_.at(first + used - 1).flags & kEscaped)) --used;
  if (used > keep) t.stack_objects = used;
}

// lifetime.start and lifetime.end of a local variable.
void Machine::State::end_lifetime(Thread& t, uint64_t pointer, bool begin) {
  Object& o = *memory_.find(pointer);
  if (o.kind != ObjectKindHost::Stack || static_cast<uint32_t>(pointer) != 0) return;
  const uint32_t number = static_cast<uint32_t>(pointer >> 32);
  if (!begin) {
    if (o.size == 0 && o.full_size != 0) return;
    if ((o.flags & kHasAtomics) && ends_in_use(t, number, "leaves the scope of")) return;
    if (HEDDLE_UNLIKELY(o.shadow != nullptr && root_.tracking && options_.detect_races && o.full_size > 0))
      check_end_of_life(t, o, number);
    t.stack_bytes -= room_of(o);
    end_object(o, number, kScopeEnded, t.pc, t.id);
    return;
  }
  const uint64_t bytes = round_up(o.full_size), inits = init_bytes(o.full_size);
  if (o.size != 0) memory_.begin_or_end(number, o);
  if (o.born < undo_.mark()) {
    undo_.blob(o.data, (bytes + inits) / 8);
    undo_.touch(o);
    o.born = undo_.mark();
  }
  undo_.touch(o);
  std::memset(o.data, 0, bytes + inits);
  t.stack_bytes -= room_of(o);
  o.flags &= static_cast<uint8_t>(~(kScopeEnded | kNotBegun));
  o.size = o.write_size = o.full_size;
  t.stack_bytes += room_of(o);
  memory_.begin_zeroed(number, o);
  check_stack(t);
}

uint64_t Machine::State::thread_local_address(Thread& t, uint32_t global) {
  uint64_t& slot = t.thread_locals[global];
  if (slot != 0) return slot;
  const program::Global& g = image_->program->global(program::GlobalId(global));
  const uint32_t number = first_heap_object(t.id) + t.heap_objects++;
  Object& o = memory_.make(number);
  o = {};
  o.data = blocks_.take_zero(round_up(g.size));
  image_->fill_initial(global, o.data);
  o.size = o.write_size = o.full_size = static_cast<uint32_t>(g.size);
  o.born = o.saved_mark = undo_.mark();
  o.made_at = global;
  o.made_by = static_cast<uint8_t>(t.id);
  o.kind = ObjectKindHost::ThreadLocal;
  memory_.begin_or_end(number, o);
  undo_.put(slot, uint64_t{number} << 32);
  return slot;
}

// They die with their thread, after all that runs at its end; so does what the library keeps for it and gives out.
bool Machine::State::end_thread_locals(Thread& t) {
  for (const uint32_t global : image_->thread_local_globals)
    if (!end_thread_local(t, t.thread_locals[global])) return false;
  for (const auto& [name, place] : thread_objects_)
    if (library::is_own_state(name) && !end_thread_local(t, t.thread_locals[image_->program->global_count() + place]))
      return false;
  return true;
}

bool Machine::State::end_thread_local(Thread& t, uint64_t address) {
  if (address == 0) return true;
  const auto number = static_cast<uint32_t>(address >> 32);
  Object& o = memory_.at(number);
  if ((o.flags & kHasAtomics) && ends_in_use(t, number, "ends the life of")) return false;
  if (o.shadow != nullptr && root_.tracking && options_.detect_races && o.full_size > 0)
    check_end_of_life(t, o, number);
  end_object(o, number, kReturned, t.pc, t.id);
  return true;
}

}  // namespace heddle::machine
