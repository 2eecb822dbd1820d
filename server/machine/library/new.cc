// operator new and delete, all forms that the program does not replace; which part of a block a container uses.
#include "server/library/link_names.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

CallGuest& own(Guest& g) { return static_cast<CallGuest&>(g); }

uint64_t address(Guest& g, program::FunctionId f) {
  return f.valid() ? uint64_t{own(g).s.image_->object_of_function(f.value)} << 32 : 0;
}

// Where does memory end? A request that can never be met throws std::bad_alloc, as everywhere; a heap that is full is
// a limit of ours, and the verdict says so.
Status no_memory(Guest& g, uint64_t size, bool throws) {
  if (own(g).s.fault_raised_) return Status::Faulted;
  if (!throws) {
    g.result(uint64_t{0});
    return Status::Done;
  }
  const program::FunctionId thrower = own(g).s.image_->program->find_function(library::kThrowBadAlloc);
  if (thrower.valid()) return g.call({address(g, thrower)}, {});
  return g.fault(FaultKind::MemoryLimit, "operator new cannot give " + std::to_string(size) + " bytes");
}

// The forms that a program replaces stand after the others: new[] and new(nothrow) call new, the sized and the
// nothrow delete and delete[] the plain delete. Those for overaligned types stand alone.
template <AllocatedBy kBy, bool kThrows, bool kAligned>
Status new_(Guest& g) {
  if (g.stage() > 0) {
    g.result(g.call_result());
    return Status::Done;
  }
  if (!kAligned) {
    if (const uint64_t plain = address(g, own(g).s.image_->replaced_new); plain != 0) {
      const uint64_t size = g.argument(0);
      return g.call({plain}, std::span<const uint64_t>(&size, 1));
    }
  }
  const Pointer block = g.allocate(g.argument(0), 16, false);
  if (block.bits == 0) return no_memory(g, g.argument(0), kThrows);
  own(g).s.memory_.find(block.bits)->allocated_by = kBy;
  g.result(block);
  return Status::Done;
}

// The compiler gives the size of the class that it sees: of a base without a virtual destructor, that of the base.
bool has_size(Guest& g, AllocatedBy by, uint64_t size) {
  const Object& o = *own(g).s.memory_.find(g.pointer(0).bits);
  const bool given = o.kind == ObjectKindHost::Heap && g.pointer(0).offset() == 0 && !(o.flags & kFreed);
  return g.argument(0) == 0 || !given || o.allocated_by != by || o.full_size == size;
}

enum class Sized : bool { No, Yes };

template <AllocatedBy kBy, bool kAligned, Sized kSized = Sized::No>
Status delete_(Guest& g) {
  if (g.stage() > 0) return Status::Done;
  if (const uint64_t plain = kAligned ? 0 : address(g, own(g).s.image_->replaced_delete); plain != 0) {
    const uint64_t block = g.argument(0);
    return g.call({plain}, std::span<const uint64_t>(&block, 1));
  }
  if (kSized == Sized::Yes && !has_size(g, kBy, g.argument(1)))
    return g.fault(FaultKind::InvalidFree, "deletes " + own(g).s.describe_object(g.pointer(0)) + " as " +
                                               std::to_string(g.argument(1)) + " bytes, but it has " +
                                               std::to_string(own(g).s.memory_.find(g.pointer(0).bits)->full_size) +
                                               ": a base class without a virtual destructor?");
  return own(g).s.free_heap_object(*own(g).t, g.pointer(0), kBy) ? Status::Done : Status::Faulted;
}

Status set_new_handler(Guest& g) {
  const Pointer at = g.process_object(kNewHandlerCell.name, 8);
  uint64_t old = 0;
  const uint64_t handler = g.argument(0);
  if (!g.read(at, &old, 8) || !g.write(at, &handler, 8)) return Status::Faulted;
  g.result(old);
  return Status::Done;
}

Status get_new_handler(Guest& g) {
  uint64_t handler = 0;
  if (!g.read(g.process_object(kNewHandlerCell.name, 8), &handler, 8)) return Status::Faulted;
  g.result(handler);
  return Status::Done;
}

// (begin, end, old, now): of its memory a std::vector uses what is before `now`.
Status annotate(Guest& g) {
  return own(g).s.end_contents(*own(g).t, g.pointer(0), g.argument(1), g.argument(3)) ? Status::Done : Status::Faulted;
}

}  // namespace

std::span<const BuiltinRow> new_builtins() {
  using enum AllocatedBy;
  static const BuiltinRow rows[] = {
      {"_Znwm", new_<New, true, false>},
      {"_ZnwmSt11align_val_t", new_<New, true, true>},
      {"_ZnwmRKSt9nothrow_t", new_<New, false, false>},
      {"_ZnwmSt11align_val_tRKSt9nothrow_t", new_<New, false, true>},
      {"_Znam", new_<NewArray, true, false>},
      {"_ZnamSt11align_val_t", new_<NewArray, true, true>},
      {"_ZnamRKSt9nothrow_t", new_<NewArray, false, false>},
      {"_ZnamSt11align_val_tRKSt9nothrow_t", new_<NewArray, false, true>},
      {"_ZdlPv", delete_<New, false>},
      {"_ZdlPvm", delete_<New, false, Sized::Yes>},
      {"_ZdlPvSt11align_val_t", delete_<New, true>},
      {"_ZdlPvmSt11align_val_t", delete_<New, true, Sized::Yes>},
      {"_ZdlPvRKSt9nothrow_t", delete_<New, false>},
      {"_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_<New, true>},
      {"_ZdaPv", delete_<NewArray, false>},
      {"_ZdaPvm", delete_<NewArray, false, Sized::Yes>},
      {"_ZdaPvSt11align_val_t", delete_<NewArray, true>},
      {"_ZdaPvmSt11align_val_t", delete_<NewArray, true, Sized::Yes>},
      {"_ZdaPvRKSt9nothrow_t", delete_<NewArray, false>},
      {"_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_<NewArray, true>},
      {"_ZSt15set_new_handlerPFvvE", set_new_handler},
      {"_ZSt15get_new_handlerv", get_new_handler},
      {"__sanitizer_annotate_contiguous_container", annotate},
  };
  return rows;
}

}  // namespace heddle::machine
