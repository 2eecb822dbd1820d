// Cancellation, deferred: a request is acted upon at the next cancellation point, where the thread's cleanup handlers
// run and it ends with PTHREAD_CANCELED. In a program that never cancels, cancellation points are no scheduling points.
#include <algorithm>
#include <vector>

#include "server/machine/code/registry.h"
#include "server/machine/exceptions/jump.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/codes.h"

namespace heddle::machine {
namespace {

using K = OperationKind;

constexpr uint64_t kCanceled = ~uint64_t{0};
constexpr uint32_t kAsynchronous = 1;

void cancel(SyncCall& call) {
  Machine::State& s = call.state;
  const uint64_t id = call.operation.object.bits;
  Thread* const other = id < s.threads_.limit() ? s.threads_[id] : nullptr;
  if (other == nullptr || other->life == Life::None) {
    s.fault(call.thread, FaultKind::ThreadMisuse, "cancels a handle that is no thread");
    return;
  }
  if (const std::string over = end_of_life(*other); !over.empty()) {
    s.fault(call.thread, FaultKind::ThreadMisuse, "cancels " + s.thread_name(other->id) + over);
    return;
  }
  call.result(0);
  if (other->life != Life::Running || other->cancel_requested) return;
  s.touch_running(*other);
  other->cancel_requested = true;
  s.clocks_.release(call.thread, other->cancel_clock);
  if (other != &call.thread && other->pending.cancellable) s.describe(*other);
}

// A library function that is visible only since the thread may be cancelled in it.
void cancellation_point(SyncCall& call) {
  const Callee callee = find_callee(call.row.name);
  call.failed = true;  // waits for its time or for nothing
  call.state.run_builtin(call.thread, callee.builtin, &call.info, call.thread.pc);
}

Status set_state(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t old = g.t->cancel_disabled, wanted = static_cast<uint32_t>(g.argument(0));
  if (wanted > 1) {
    g.result_int(kInvalid);
    return Status::Done;
  }
  if (g.argument(1) != 0 && !g.write(g.pointer(1), &old, 4)) return Status::Faulted;
  g.t->cancel_disabled = wanted != 0;
  g.result_int(0);
  return Status::Done;
}

Status set_type(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  int32_t type = g.int_argument(0);
  if (type < 0 || type > static_cast<int32_t>(kAsynchronous)) {
    g.result_int(kInvalid);
    return Status::Done;
  }
  if (static_cast<uint32_t>(type) == kAsynchronous && g.s.image_->cancels)
    return g.fault(FaultKind::Unsupported, "asynchronous cancellation (pthread_setcanceltype)");
  if (!exchange_cancel_type(g, type) || (g.argument(1) != 0 && !g.write(g.pointer(1), &type, 4)))
    return Status::Faulted;
  g.result_int(0);
  return Status::Done;
}

constexpr std::string_view kSleeps[] = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"};
constexpr std::string_view kPoints[] = {
    "pthread_testcancel", "read", "write", "pread", "pwrite", "open", "creat", "close", "fsync", "fdatasync", "fcntl"};
// Where the C library writes or fills a buffer.
constexpr std::string_view kPerhapsPoints[] = {"fopen",
                                               "fopen64",
                                               "freopen",
                                               "fclose",
                                               "fflush",
                                               "fseek",
                                               "fseeko",
                                               "ftell",
                                               "ftello",
                                               "rewind",
                                               "fsetpos",
                                               "fgetpos",
                                               "printf",
                                               "vprintf",
                                               "fprintf",
                                               "vfprintf",
                                               "dprintf",
                                               "vdprintf",
                                               "__printf_chk",
                                               "__vprintf_chk",
                                               "__fprintf_chk",
                                               "__vfprintf_chk",
                                               "__dprintf_chk",
                                               "__vdprintf_chk",
                                               "puts",
                                               "fputs",
                                               "putchar",
                                               "putc",
                                               "_IO_putc",
                                               "fputc",
                                               "fwrite",
                                               "fgets",
                                               "__fgets_chk",
                                               "getchar",
                                               "getc",
                                               "_IO_getc",
                                               "fgetc",
                                               "fread",
                                               "__fread_chk",
                                               "getline",
                                               "__getdelim",
                                               "getdelim",
                                               "scanf",
                                               "fscanf",
                                               "vscanf",
                                               "vfscanf",
                                               "__isoc99_scanf",
                                               "__isoc99_fscanf",
                                               "__isoc99_vscanf",
                                               "__isoc99_vfscanf",
                                               "__isoc23_scanf",
                                               "__isoc23_fscanf",
                                               "__isoc23_vscanf",
                                               "__isoc23_vfscanf",
                                               "perror",
                                               "putwc",
                                               "fputwc",
                                               "putwchar",
                                               "fputws",
                                               "wprintf",
                                               "vwprintf",
                                               "fwprintf",
                                               "vfwprintf",
                                               "getwc",
                                               "fgetwc",
                                               "getwchar",
                                               "fgetws"};

}  // namespace

void act_on_cancellation(SyncCall& call) {
  Thread& t = call.thread;
  call.state.clocks_.acquire(t, t.cancel_clock);
  t.phase = Phase::Normal;
  t.waits_for = 0;
  call.pushed = true;
  end_thread(call.state, t, kCanceled);
}

std::span<const VisibleRow> cancel_rows() {
  static const VisibleRow rows[] = {{"pthread_cancel", K::Cancel, -1, -1, false, cancel}};
  return rows;
}

std::span<const BuiltinRow> cancel_builtins() {
  static const BuiltinRow rows[] = {
      {"pthread_setcancelstate", set_state},
      {"pthread_setcanceltype", set_type},
  };
  return rows;
}

const VisibleRow* find_cancellation_point(std::string_view name) {
  static const auto* const rows = [] {
    auto* all = new std::vector<VisibleRow>;
    for (const std::string_view call : kSleeps)
      all->push_back({call, K::Sleep, -1, -1, call == "thrd_sleep", cancellation_point});
    for (const std::string_view call : kPoints)
      all->push_back({call, K::TestCancel, -1, -1, false, cancellation_point});
    for (const std::string_view call : kPerhapsPoints)
      all->push_back({call, K::TestCancel, -1, -1, false, cancellation_point, {}, kPerhaps});
    return all;
  }();
  for (const VisibleRow& row : *rows)
    if (row.name == name) return find_callee(name).kind == Callee::Kind::Builtin ? &row : nullptr;
  return nullptr;
}

const VisibleRow* find_sleep(std::string_view name) {
  const bool known = std::find(std::begin(kSleeps), std::end(kSleeps), name) != std::end(kSleeps);
  return known ? find_cancellation_point(name) : nullptr;
}

}  // namespace heddle::machine
