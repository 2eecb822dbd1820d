// Named semaphores: sem_open, sem_close, sem_unlink. A name has a new semaphore after each sem_unlink.
#include <fcntl.h>

#include <cerrno>

#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/state.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using models::after;
using models::done;
using models::done_int;
using models::failed;
using models::failed_null;
using models::load;
using models::store;

constexpr uint32_t kNamedSize = 32, kNamedMost = 0x7fffffff;
constexpr size_t kNameMost = 250;

struct Name {
  uint32_t generation = 0, exists = 0;
};
struct Named {
  uint8_t semaphore[kNamedSize] = {};
  uint64_t opened = 0;
};

bool good_name(const std::string& name) {
  return name.size() > 1 && name[0] == '/' && name.find('/', 1) == std::string::npos;
}
Pointer name_object(Guest& g, const std::string& name) {
  return g.process_object("heddle.semaphore_name " + name, sizeof(Name));
}
Pointer semaphore_object(Guest& g, const std::string& name, const Name& known) {
  return g.process_object("heddle.semaphore " + name + "#" + std::to_string(known.generation), sizeof(Named));
}

// sem_open(name, flags[, mode, value])
Status open_semaphore(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  const int flags = g.int_argument(1);
  std::string name;
  Name known;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  if (name.size() > kNameMost) return failed_null(g, ENAMETOOLONG);
  if (!name.starts_with("/")) name = "/" + name;  // as glibc
  if (!good_name(name)) return failed_null(g, EINVAL);
  if (!load(g, name_object(g, name), known)) return Status::Faulted;
  if (known.exists == 0 && (flags & O_CREAT) == 0) return failed_null(g, ENOENT);
  if (known.exists != 0 && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return failed_null(g, EEXIST);
  const bool fresh = known.exists == 0;
  const uint32_t value = static_cast<uint32_t>(g.argument(3));
  if (fresh && value > kNamedMost) return failed_null(g, EINVAL);
  if (fresh) known = {known.generation + 1, 1};
  const Pointer at = semaphore_object(g, name, known), opened = after(at, kNamedSize);
  uint64_t count;
  if (!store(g, name_object(g, name), known) || !load(g, opened, count) || !store(g, opened, count + 1))
    return Status::Faulted;
  SyncObject& semaphore = call.s.sync_object(at, SyncKind::Semaphore);
  semaphore.destroyed = 0;
  if (fresh) semaphore.count = value;
  return done(g, at);
}

Status unlink_semaphore(Guest& g) {
  std::string name;
  Name known;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  if (!name.starts_with("/")) name = "/" + name;
  if (!load(g, name_object(g, name), known)) return Status::Faulted;
  if (known.exists == 0) return failed(g, ENOENT);
  known.exists = 0;
  if (!store(g, name_object(g, name), known)) return Status::Faulted;
  return done_int(g, 0);
}

Status close_semaphore(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  const Pointer at = g.pointer(0);
  const SyncObject* const known = call.s.find_sync(at);
  const Object& object = *call.s.memory_.find(at.bits);
  if (known == nullptr || known->kind != SyncKind::Semaphore || object.kind != ObjectKindHost::Hidden)
    return g.fault(FaultKind::LockMisuse, "closes a semaphore that sem_open did not give");
  if (known->destroyed) return g.fault(FaultKind::LockMisuse, "closes a semaphore after it was closed");
  uint64_t opened;
  if (!load(g, after(at, kNamedSize), opened) || !store(g, after(at, kNamedSize), opened - 1)) return Status::Faulted;
  if (opened == 1) call.s.sync_object(at, SyncKind::Semaphore).destroyed = 1;
  return done_int(g, 0);
}

template <Builtin model>
void perform_named(SyncCall& call) {
  call.state.run_builtin(call.thread, model, &call.info, call.thread.pc);
}

}  // namespace

std::span<const VisibleRow> named_semaphore_rows() {
  static const VisibleRow rows[] = {
      {"sem_open", K::Initialise, kSemaphoreNames, -1, false, perform_named<open_semaphore>},
      {"sem_unlink", K::Initialise, kSemaphoreNames, -1, false, perform_named<unlink_semaphore>},
      {"sem_close", K::Destroy, 0, -1, false, perform_named<close_semaphore>},
  };
  return rows;
}

}  // namespace heddle::machine
