#include <algorithm>

#include "server/machine/interpreter.h"
#include "server/machine/memory/stack_escape.h"

namespace heddle::machine {

Thread& Machine::State::make_thread(uint32_t id, uint32_t parent, uint32_t created_at) {
  Thread& t = threads_.create(id, parent, created_at);
  t.stack_capacity = 256;
  give_stack(t, options_.stack_size);
  t.stack = static_cast<uint64_t*>(undo_.take(t.stack_capacity * 8));
  const uint32_t globals = image_->program->global_count();
  t.thread_locals = undo_.take_zeroed<uint64_t>(globals + kThreadObjects);
  SpinDetection::begin_thread(t);
  clocks_.add_thread(id);
  t.clock = clocks_.make();
  return t;
}

bool Machine::State::reserve_stack(Thread& t, uint32_t words) {
  uint64_t capacity = std::max<uint64_t>(t.stack_capacity, 256);
  while (capacity < words) capacity *= 2;
  if (capacity * 8 > options_.memory_limit || capacity > (uint64_t{1} << 31))
    return fault(t, FaultKind::StackOverflow, "the frames of nested calls need more than the memory limit");
  auto* larger = static_cast<uint64_t*>(undo_.take(capacity * 8));
  std::memcpy(larger, t.stack, uint64_t{t.top} * 8);
  t.stack = larger;
  t.stack_capacity = static_cast<uint32_t>(capacity);
  return true;
}

void Machine::State::give_stack(Thread& t, uint64_t size) {
  t.stack_size = size;
  const double frames = static_cast<double>(size) / static_cast<double>(options_.stack_size);
  t.depth_most = static_cast<uint32_t>(std::min(frames * options_.stack_depth_limit, 1e9));
}

void Machine::State::too_deep(Thread& t) {
  fault(t, FaultKind::StackOverflow,
        "calls nest " + std::to_string(t.depth_most) + " deep, which no stack of " + stack_text(t) + " holds");
}

uint64_t* Machine::State::push_frame(Thread& t, uint32_t function, uint32_t slots, uint32_t return_pc) {
  const uint32_t fp = t.top + kHeader;
  if (fp + slots > t.stack_capacity && !reserve_stack(t, fp + slots)) return nullptr;
  if (t.depth >= t.depth_most) {
    too_deep(t);
    return nullptr;
  }
  if (function != kNoFunction) functions_run_[function] = 1;
  uint64_t* const r = t.stack + fp;
  r[-1] = return_pc | uint64_t{t.fp} << 32;
  r[-2] = function | uint64_t{t.stack_objects} << 32;
  r[-3] = reinterpret_cast<uint64_t>(t.stack_memory);
  r[-4] = 0;
  r[-5] = caller_in_project(t, return_pc - 1);
  r[-6] = 0;
  t.fp = fp;
  t.top = fp + slots;
  ++t.depth;
  return r;
}

// Enter a guest function or a library model; its result goes to the operation before return_pc. A model cannot be
// entered this way when it is a scheduling point.
bool Machine::State::call_function(Thread& t, const Callee& callee, std::span<const uint64_t> arguments,
                                   uint32_t return_pc) {
  if (callee.kind != Callee::Kind::Function) return false;
  const FunctionInfo& f = image_->functions[callee.index];
  uint64_t* const r = push_frame(t, callee.index, f.frame_slots, return_pc);
  if (r == nullptr) return false;
  for (uint32_t n = 0; n < f.parameter_slots; ++n) r[n] = n < arguments.size() ? arguments[n] : 0;
  t.pc = f.begin;
  return true;
}

void restore_stack_memory(Thread& t, uint64_t saved) {
  StackChunk* chunk = t.stack_chunk;
  auto* at = reinterpret_cast<uint8_t*>(saved);
  if (at == nullptr) {
    while (chunk->previous != nullptr) chunk = chunk->previous;
    t.stack_chunk = chunk;
    t.stack_memory = chunk->begin();
    return;
  }
  while (at < chunk->begin() || at > chunk->end) chunk = chunk->previous;
  t.stack_chunk = chunk;
  t.stack_memory = at;
}

void Machine::State::save_frame(Thread& t, uint32_t fp) {
  const uint32_t from = fp - kHeader;
  undo_.blob(t.stack + from, t.saved_from - from);
  t.saved_from = from;
}

void Machine::State::touch_running(Thread& t) {
  if (t.saved_mark >= undo_.mark()) return;
  undo_.touch(t);
  if (t.stack_chunk != nullptr) t.fresh_above = std::max(t.fresh_above, t.stack_chunk->position(t.stack_memory));
  t.saved_low = t.saved_high = 0;
  t.saved_from = t.top;
  save_frame(t, t.fp);
}

uint32_t Machine::State::current_pc(const Thread& t) const {
  uint32_t pc = t.pc, fp = t.fp;
  while (pc <= kBuiltinReturnCode || static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction) {
    if (t.depth == 0 || fp < kHeader || t.stack[fp - 1] == 0) return pc;
    const uint64_t link = t.stack[fp - 1];
    if (static_cast<uint32_t>(link) == 0) return pc;
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
    if (fp < kHeader) return pc;
  }
  return pc;
}

template <typename Visit>
void Machine::State::walk_stack(const Thread& t, const Visit& visit) const {
  if (t.life == Life::None || t.stack == nullptr) return;
  uint32_t pc = t.pc, fp = t.fp;
  while (true) {
    const bool own = static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction;
    if (!own && pc > kBuiltinReturnCode) visit(pc, fp);
    const uint64_t link = t.stack[fp - 1];
    if (static_cast<uint32_t>(link) == 0) break;
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
  }
}

std::vector<uint32_t> Machine::State::stack_of(const Thread& t) const {
  std::vector<uint32_t> result;
  walk_stack(t, [&](uint32_t pc, uint32_t) { result.push_back(pc); });
  return result;
}

std::vector<uint32_t> Machine::State::frames_of(const Thread& t) const {
  std::vector<uint32_t> result;
  walk_stack(t, [&](uint32_t, uint32_t fp) { result.push_back(fp); });
  return result;
}

uint64_t Machine::State::variadic_area(Thread& t, const CallInfo& info, const uint64_t* caller, uint32_t skip_slots) {
  uint64_t size = 0;
  uint32_t skipped = 0;
  std::vector<std::pair<const program::Argument*, uint64_t>> places;
  for (const program::Argument& argument : info.site->arguments) {
    if (skipped < skip_slots) {
      skipped += argument.slots;
      continue;
    }
    const uint64_t bytes = argument.by_value != 0 ? argument.by_value : argument.bytes;
    if (argument.alignment > 8) size = (size + argument.alignment - 1) / argument.alignment * argument.alignment;
    places.emplace_back(&argument, size);
    size += (bytes + 7) / 8 * 8;
  }
  if (size == 0) return 0;
  const uint64_t area = make_stack_object(t, size, 0xffff);
  if (area == 0) return 0;
  Object& o = *memory_.find(area);
  for (const auto& [argument, offset] : places) {
    if (argument->by_value != 0) {
      if (!copy(t, {area + offset}, {caller[argument->slot]}, argument->by_value, false, true)) return 0;
      continue;
    }
    std::memcpy(o.data + offset, caller + argument->slot, uint64_t{argument->slots} * 8);
    after_store(o, area, static_cast<uint32_t>(offset), uint64_t{argument->slots} * 8);
  }
  return area;
}

CallTarget prepare_call(Machine::State& state, Thread& t, const Decoded& call, const uint64_t* slots) {
  const CallInfo& info = state.image_->calls[static_cast<size_t>(call.imm)];
  Callee callee = info.callee;
  if (call.code == Code::CallIndirect) {
    const uint64_t pointer = slots[call.a];
    if (!state.image_->callee_of(pointer, callee)) {
      if (pointer >> 32 == 0)
        state.fault(t, FaultKind::NullDereference, "calls a null function pointer", {pointer});
      else
        state.fault(t, FaultKind::WildPointer, "calls " + state.describe_object({pointer}) + ", which is no function",
                    {pointer});
      return {};
    }
  }
  switch (callee.kind) {
    case Callee::Kind::Builtin: return {CallTarget::Builtin, callee.builtin, &info, callee.variables};
    case Callee::Kind::Visible: return {CallTarget::Visible, nullptr, &info};
    case Callee::Kind::Unknown:
      if (state.unknown_call(t) == UnknownCall::Fresh) return {CallTarget::Visible, nullptr, &info};
      if (state.unknown_call(t) == UnknownCall::Ignore) {
        for (uint32_t n = 0; n < call.width; ++n) t.stack[t.fp + call.dst + n] = 0;
        ++t.pc;
        return {CallTarget::Function, nullptr, &info};
      }
      state.fault_unknown(t, "calls", callee.index);
      return {};
    case Callee::Kind::Function: break;
  }
  const FunctionInfo& f = state.image_->functions[callee.index];
  const uint32_t pc = t.pc, caller = t.fp;
  const uint32_t objects = t.stack_objects;
  uint8_t* const memory = t.stack_memory;
  uint64_t area = 0;
  if (f.variadic) {
    area = state.variadic_area(t, info, slots, f.parameter_slots);
    if (state.fault_raised_) return {};
  }
  uint64_t* const r = state.push_frame(t, callee.index, f.frame_slots, pc + 1);
  if (r == nullptr) return {};
  // The area belongs to the callee's frame and ends with it.
  r[-2] = callee.index | uint64_t{objects} << 32;
  r[-3] = reinterpret_cast<uint64_t>(memory);
  r[-4] = area;
  const uint64_t* const from = t.stack + caller;
  const uint32_t* const order = state.image_->argument_slots.data() + info.first_slot;
  for (uint32_t n = 0; n < f.parameter_slots; ++n) r[n] = n < info.slots ? from[order[n]] : 0;
  t.pc = f.begin;
  return {CallTarget::Function, nullptr, &info};
}

// The layout of va_list on x86-64, with both register areas used up: gp_offset, fp_offset, overflow, save area.
bool start_variadic(Machine::State& state, Thread& t, Pointer list, uint64_t area) {
  const struct {
    uint32_t gp, fp;
    uint64_t overflow, save;
  } value = {48, 176, area, 0};
  return state.write(t, list, &value, sizeof value);
}

void raise_unsupported(Machine::State& state, Thread& t, const Decoded& operation) {
  const CodeAddress at = state.image_->address(t.pc);
  state.fault(t, FaultKind::Unsupported, state.image_->program->function(at.function).unsupported[operation.b]);
}

// Races need a second thread that is not ordered before the one that runs; a recording wants all accesses.
void Machine::State::update_tracking() {
  const bool wanted = options_.detect_races || options_.record_plain_accesses ||
                      options_.plain_accesses == PlainAccesses::Visible || !own_code_.empty();
  const bool records = options_.record_plain_accesses && !options_.detect_races;
  root_.tracking = wanted && (records || threads_.several());
}

}  // namespace heddle::machine
