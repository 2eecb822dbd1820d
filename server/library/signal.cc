// signal.h and setjmp.h.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"__libc_current_sigrtmax", Model, nothing},
    {"__libc_current_sigrtmin", Model, nothing},
    {"__longjmp_chk", Model, writes(at(0)).reading(at(0)), LeavesFrames},
    {"__sysv_signal", Model, nothing, SetsHandler, hidden(kSignals, kSignals | kError), changes(kSignals)},
    {"_longjmp", Model, writes(at(0)).reading(at(0)), LeavesFrames},
    {"_setjmp", Model, writes(at(0)).reading(at(0))},
    {"bsd_signal", Model, nothing, SetsHandler, hidden(kSignals, kSignals | kError), changes(kSignals)},
    {"kill", Operation, synchronises(SemaphorePost), RunsHandlers, hidden(kSignals, kSignals | kError),
     looks_at(kSignals)},
    {"longjmp", Model, writes(at(0)).reading(at(0)), LeavesFrames},
    {"pthread_kill", Operation, synchronises(SemaphorePost), RunsHandlers, hidden(kSignals), looks_at(kSignals)},
    {"pthread_sigmask", Operation, synchronises(SemaphoreWait).reading(at(1)).writing(at(2)), RunsHandlers,
     hidden(kSignals), looks_at(kSignals)},
    {"pthread_sigqueue", Operation, synchronises(SemaphorePost), RunsHandlers, hidden(kSignals), looks_at(kSignals)},
    {"raise", Model, nothing, RunsHandlers, hidden(kSignals, kSignals | kError), looks_at(kSignals)},
    {"setjmp", Model, writes(at(0)).reading(at(0))},
    {"sigaction", Model, writes(at(2)).reading(at(1)), SetsAction, hidden(kSignals, kSignals | kError),
     changes(kSignals)},
    {"sigaddset", Model, writes(at(0)).reading(at(0)), hidden(0, kError)},
    {"sigaltstack", Model, writes(at(1)).reading(at(0)), SetsSignalStack, hidden(0, kError)},
    {"sigdelset", Model, writes(at(0)).reading(at(0)), hidden(0, kError)},
    {"sigemptyset", Model, writes(at(0)).reading(at(0))},
    {"sigfillset", Model, writes(at(0)).reading(at(0))},
    {"sigismember", Model, reads(at(0)), hidden(0, kError)},
    {"siglongjmp", Model, writes(at(0)).reading(at(0)), LeavesFrames},
    {"signal", Model, nothing, SetsHandler, hidden(kSignals, kSignals | kError), changes(kSignals)},
    {"sigpending", Operation, synchronises(SemaphoreWait).writing(at(0)), hidden(kSignals)},
    {"sigprocmask", Operation, synchronises(SemaphoreWait).reading(at(1)).writing(at(2)), RunsHandlers,
     hidden(kSignals, kSignals | kError), looks_at(kSignals)},
    {"sigqueue", Operation, synchronises(SemaphorePost), RunsHandlers, hidden(kSignals, kSignals | kError),
     looks_at(kSignals)},
    {"sigsetjmp", Model, writes(at(0)).reading(at(0))},
    {"sigsuspend", Operation, synchronises(SemaphoreWait).reading(at(0)), RunsHandlers,
     hidden(kSignals, kCancellation | kError | kSignals), looks_at(kSignals), Pauses},
    {"sigtimedwait", Operation, synchronises(SemaphoreWait).reading(at(0, 2)).writing(at(1)),
     hidden(kClock | kSignals, kClock | kSignals | kError)},
    {"sigwait", Operation, synchronises(SemaphoreWait).reading(at(0, 2)).writing(at(1)), hidden(kSignals)},
    {"sigwaitinfo", Operation, synchronises(SemaphoreWait).reading(at(0, 2)).writing(at(1)),
     hidden(kSignals, kSignals | kError)},
    {"sysv_signal", Model, nothing, SetsHandler, hidden(kSignals, kSignals | kError), changes(kSignals)},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> signal_functions() { return kRows; }

}  // namespace heddle::library
