// semaphore.h and threads.h.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"call_once", Operation, calls_back(1).as(Once).on(0)},
    {"cnd_broadcast", Operation, synchronises(Signal).on(0), verb("broadcasts")},
    {"cnd_destroy", Operation, synchronises(Destroy).on(0), verb("destroys")},
    {"cnd_init", Operation, synchronises(Initialise).on(0), verb("initialises")},
    {"cnd_signal", Operation, synchronises(Signal).on(0), verb("signals")},
    {"cnd_timedwait", Operation, synchronises(Wait).on(0).with_mutex(1).reading(at(2)), hidden(kClock),
     verb("waits on")},
    {"cnd_wait", Operation, synchronises(Wait).on(0).with_mutex(1), verb("waits on")},
    {"mtx_destroy", Operation, synchronises(Destroy).on(0), verb("destroys")},
    {"mtx_init", Operation, synchronises(Initialise).on(0), verb("initialises")},
    {"mtx_lock", Operation, synchronises(Lock).on(0), verb("locks")},
    {"mtx_timedlock", Operation, synchronises(TryLock).on(0).reading(at(1)), hidden(kClock), verb("locks")},
    {"mtx_trylock", Operation, synchronises(TryLock).on(0), verb("tries to lock")},
    {"mtx_unlock", Operation, synchronises(Unlock).on(0), verb("unlocks")},
    {"sem_clockwait", Operation, synchronises(SemaphoreWait).on(0).reading(at(2)), hidden(kClock, kClock | kError),
     verb("takes")},
    {"sem_close", Operation, synchronises(Destroy).on(0), verb("closes")},
    {"sem_destroy", Operation, synchronises(Destroy).on(0), verb("destroys")},
    {"sem_getvalue", Operation, synchronises(SemaphoreWait).on(0).writing(at(1)), verb("reads")},
    {"sem_init", Operation, synchronises(Initialise).on(0), verb("initialises"), hidden(0, kError)},
    {"sem_open", Operation, allocates.reading(at(0)), NamedSemaphore},
    {"sem_post", Operation, synchronises(SemaphorePost).on(0), verb("posts"), hidden(0, kError)},
    {"sem_timedwait", Operation, synchronises(SemaphoreWait).on(0).reading(at(1)), hidden(kClock, kClock | kError),
     verb("takes")},
    {"sem_trywait", Operation, synchronises(SemaphoreWait).on(0), hidden(0, kError), verb("tries to take")},
    {"sem_unlink", Operation, reads(at(0)), hidden(kNames, kNames | kError)},
    {"sem_wait", Operation, synchronises(SemaphoreWait).on(0), hidden(0, kError), verb("takes")},
    {"thrd_create", Operation, creates_thread(1, 2).writing(at(0))},
    {"thrd_current", Model, nothing},
    {"thrd_detach", Operation, synchronises(Join)},
    {"thrd_equal", Model, nothing},
    {"thrd_exit", Model, exits(), LeavesFrames},
    {"thrd_join", Operation, synchronises(Join).writing(at(1))},
    {"thrd_sleep", Model, writes(at(1)).reading(at(0)), hidden(0, kClock | kCancellation), Pauses},
    {"thrd_yield", Model, nothing, Pauses},
    {"tss_create", Model, calls_back(1).writing(at(0)), CallbackArguments::SpecificValue, hidden(kThreadValues),
     changes(kThreadValues)},
    {"tss_delete", Model, nothing, hidden(kThreadValues), changes(kThreadValues | kDeletedKeys)},
    {"tss_get", Model, nothing, GetsSpecific, hidden(kThreadValues), looks_at(kDeletedKeys)},
    {"tss_set", Model, nothing, SetsSpecific, hidden(kThreadValues), looks_at(kDeletedKeys)},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> threads_functions() { return kRows; }

}  // namespace heddle::library
