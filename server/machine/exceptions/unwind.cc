#include "server/machine/exceptions/exceptions.h"
#include "server/machine/exceptions/jump.h"
#include "server/machine/exceptions/type_info.h"
#include "server/machine/interpreter.h"

namespace heddle::machine {

using program::CatchClause;
using program::LandingPad;

uint64_t Exceptions::field(uint64_t exception, ExceptionField which) const {
  return s_.peek({exception - kExceptionHeader + 8 * static_cast<uint64_t>(which)}, 8);
}

void Exceptions::set(uint64_t exception, ExceptionField which, uint64_t value) {
  poke(exception - kExceptionHeader + 8 * static_cast<uint64_t>(which), value);
}

// The runtime's own accesses: never racy, since an exception belongs to one thread or is counted atomically.
void Exceptions::poke(uint64_t at, uint64_t value) {
  Object& o = *s_.memory_.find(at);
  const auto offset = static_cast<uint32_t>(at);
  if (offset + 8 > o.write_size) return;
  s_.before_store(o, at, offset, 8);
  std::memcpy(o.data + offset, &value, 8);
  s_.after_store(o, at, offset, 8);
}

uint64_t Exceptions::primary(uint64_t exception) const {
  const uint64_t other = field(exception, ExceptionField::Primary);
  return other != 0 ? other : exception;
}

std::string Exceptions::type_name(uint64_t exception) const {
  return TypeInfos(s_, t_).name(field(primary(exception), ExceptionField::Type));
}

const program::CallSite* Exceptions::call_site(uint32_t pc) const {
  if (pc <= kBuiltinReturnCode) return nullptr;
  const Decoded& d = s_.image_->code[pc];
  if (d.code < Code::Call || d.code > Code::CallIndirect) return nullptr;
  return s_.image_->calls[static_cast<size_t>(d.imm)].site;
}

Exceptions::Entry Exceptions::enter(uint64_t exception, uint32_t function, const LandingPad& pad) const {
  const TypeInfos types(s_, t_);
  const uint64_t original = primary(exception), type = field(original, ExceptionField::Type);
  const auto address = [&](program::SymbolId symbol) {
    if (!symbol.valid()) return uint64_t{0};
    return s_.image_->symbol_address(s_.image_->program->binding(program::FunctionId(function), symbol));
  };
  Entry result;
  for (const CatchClause& clause : pad.clauses) {
    uint64_t object = original;
    if (!clause.filter) {
      const uint64_t wanted = address(clause.types[0]);
      if (!types.catches(wanted, type, object)) continue;
      return {true, wanted == 0 ? 1 : static_cast<int32_t>(wanted >> 32), object, false};
    }
    bool allowed = false;
    for (const program::SymbolId symbol : clause.types) {
      uint64_t ignored = original;
      allowed |= types.catches(address(symbol), type, ignored);
    }
    if (!allowed) return {true, -1, object, true};
  }
  if (pad.cleanup) result.enters = true;
  result.object = original;
  return result;
}

Exceptions::Handler Exceptions::find_handler(uint64_t exception) const {
  // Frames that a throw must not leave: what they run has no caller that could catch.
  const auto barrier = [&](uint64_t model) {
    return model == reinterpret_cast<uint64_t>(&constructor_model) ||
           model == reinterpret_cast<uint64_t>(&destructors_model) ||
           model == reinterpret_cast<uint64_t>(&key_destructors_model) ||
           model == reinterpret_cast<uint64_t>(&terminate_model) ||
           model == reinterpret_cast<uint64_t>(s_.image_->exit_function.builtin);
  };
  uint32_t pc = t_.pc, fp = t_.fp;
  while (true) {
    const uint64_t* const r = t_.stack + fp;
    const auto function = static_cast<uint32_t>(r[-2]);
    const uint64_t link = r[-1];
    if (static_cast<uint32_t>(link) == 0 && function == kNoFunction) return {};
    if (function == kNoFunction) {
      if (barrier(r[-4])) return {};
    } else if (const program::CallSite* site = call_site(pc); site != nullptr && site->unwind != program::kNoUnwind) {
      const LandingPad& pad =
          s_.image_->program->function(program::FunctionId(function)).landing_pads[site->landing_pad];
      const Entry entry = enter(exception, function, pad);
      if (entry.enters && entry.selector != 0)
        return {true, pad.terminates ? &pad : nullptr, function, entry.specification};
    }
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
  }
}

void Machine::State::pop_frame(Thread& t) {
  const uint64_t* const r = t.stack + t.fp;
  const uint64_t link = r[-1];
  if (static_cast<uint32_t>(r[-2] >> 32) != t.stack_objects)
    end_stack_objects(t, static_cast<uint32_t>(r[-2] >> 32), true);
  if (reinterpret_cast<uint64_t>(t.stack_memory) != r[-3]) restore_stack_memory(t, r[-3]);
  t.top = t.fp - kHeader;
  t.fp = static_cast<uint32_t>(link >> 32);
  --t.depth;
  if (t.fp - kHeader < t.saved_from) save_frame(t, t.fp);
  t.pc = static_cast<uint32_t>(link) - 1;
}

bool Exceptions::unwind(uint64_t exception) {
  while (true) {
    const uint64_t* const r = t_.stack + t_.fp;
    const auto function = static_cast<uint32_t>(r[-2]);
    if (function == kNoFunction) {
      if (static_cast<uint32_t>(r[-1]) == 0) return false;
      if (r[-4] == reinterpret_cast<uint64_t>(&once_model)) {
        leave_initialiser(s_, t_, exception);
        return true;
      }
      if (!ends_thread(exception))
        s_.pop_frame(t_);
      else if (!leave_frame(s_, t_))
        return true;  // a fault
      continue;
    }
    if (const program::CallSite* site = call_site(t_.pc); site != nullptr && site->unwind != program::kNoUnwind) {
      const program::FunctionId id(function);
      const Entry entry = enter(exception, function, s_.image_->program->function(id).landing_pads[site->landing_pad]);
      if (entry.enters) {
        if (entry.selector != 0) set(exception, ExceptionField::Caught, entry.object);
        t_.exception = exception;
        t_.selector = static_cast<uint32_t>(entry.selector);
        t_.pc = s_.image_->decoded({id, site->unwind});
        return true;
      }
    }
    s_.pop_frame(t_);
  }
}

bool Exceptions::any_landing_pad() const {
  uint32_t pc = t_.pc, fp = t_.fp;
  while (true) {
    const uint64_t link = t_.stack[fp - 1];
    const program::CallSite* site = call_site(pc);
    if (site != nullptr && site->unwind != program::kNoUnwind) return true;
    if (static_cast<uint32_t>(link) == 0) return false;
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
  }
}

bool Exceptions::leave_thread() {
  if (any_landing_pad()) {
    const Pointer block = s_.make_heap_object(t_, kExceptionHeader, true);
    if (block.bits == 0) return false;
    set_in_flight(in_flight() + 1);
    if (unwind(block.bits + kExceptionHeader)) return !s_.fault_raised_;
    if (!s_.free_heap_object(t_, block)) return false;
  }
  if (in_initialiser(t_, 0))
    leave_initialiser(s_, t_, 0);
  else
    s_.leave_all_frames(t_, t_.result);
  return true;
}

// Resume: the exception was searched a handler for when it was thrown. Its own frame is left in any case. False: the
// thread ends, or a fault.
bool Machine::State::resume_unwinding(Thread& t, uint64_t exception) {
  Exceptions e(*this, t);
  if (e.unwind(exception)) return !fault_raised_;
  if (!e.ends_thread(exception))
    return fault(t, FaultKind::UncaughtException, "continues unwinding, but nothing catches the exception");
  if (free_heap_object(t, {exception - kExceptionHeader})) leave_all_frames(t, t.result);
  return false;
}

}  // namespace heddle::machine
