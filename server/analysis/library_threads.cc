// pthread.h, semaphore.h, threads.h and the calls behind stdatomic.h.
#include "server/analysis/library_table.h"

namespace heddle::analysis {
namespace {

constexpr std::string_view kUnknownInputs[] = {
    "__VERIFIER_nondet_bool",     "__VERIFIER_nondet__Bool",        "__VERIFIER_nondet_char",
    "__VERIFIER_nondet_schar",    "__VERIFIER_nondet_uchar",        "__VERIFIER_nondet_unsigned_char",
    "__VERIFIER_nondet_u8",       "__VERIFIER_nondet_short",        "__VERIFIER_nondet_ushort",
    "__VERIFIER_nondet_u16",      "__VERIFIER_nondet_int",          "__VERIFIER_nondet_uint",
    "__VERIFIER_nondet_unsigned", "__VERIFIER_nondet_unsigned_int", "__VERIFIER_nondet_u32",
    "__VERIFIER_nondet_long",     "__VERIFIER_nondet_ulong",        "__VERIFIER_nondet_unsigned_long",
    "__VERIFIER_nondet_longlong", "__VERIFIER_nondet_ulonglong",    "__VERIFIER_nondet_u64",
    "__VERIFIER_nondet_size_t",   "__VERIFIER_nondet_loff_t",       "__VERIFIER_nondet_float",
    "__VERIFIER_nondet_double",   "__VERIFIER_nondet_pointer",      "__VERIFIER_nondet_pchar",
};

}  // namespace

void LibraryTable::threads() {
  add({"pthread_create"}, {.effect = Effect::CreatesThread,
                           .interaction = Kind::Create,
                           .callback = 2,
                           .callback_data = 3,
                           .reads = bit(1),
                           .writes = bit(0)});
  // The entry is a virtual function of what argument 1 owns: Builder::start_state.
  add({kStartThread},
      {.effect = Effect::CreatesThread, .interaction = Kind::Create, .reads = bit(1), .writes = bit(0)});
  add({"thrd_create"}, {.effect = Effect::CreatesThread,
                        .interaction = Kind::Create,
                        .callback = 1,
                        .callback_data = 2,
                        .writes = bit(0)});
  add({"pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"},
      {.effect = Effect::Synchronises, .interaction = Kind::Join, .writes = bit(1)});
  add({"pthread_detach", "thrd_detach"}, {.effect = Effect::Synchronises, .interaction = Kind::Join});
  add({"pthread_exit", "thrd_exit"}, {.effect = Effect::Exits, .interaction = Kind::Exit});
  plain({"pthread_self", "thrd_current", "pthread_equal", "thrd_equal", "pthread_yield", "thrd_yield",
         "pthread_setconcurrency", "pthread_getconcurrency", "pthread_testcancel", "__pthread_unwind_next",
         "pthread_setname_np", "pthread_setschedprio", "pthread_key_delete", "tss_delete", "pthread_getspecific",
         "tss_get", "pthread_setspecific", "tss_set"});
  writes({"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__pthread_register_cancel",
          "__pthread_register_cancel_defer", "__pthread_unregister_cancel", "__pthread_unregister_cancel_restore"},
         bit(0), bit(0));
  writes({"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}, bit(0), bit(0));  // what setjmp returns then
  add({"pthread_cancel"}, {.effect = Effect::Synchronises, .interaction = Kind::Signal});
  writes({"thrd_sleep"}, bit(1), bit(0));
  writes({"pthread_mutex_setprioceiling"}, bit(2), 0);
  writes({"pthread_getname_np"}, bit(1), 0);
  writes({"pthread_setcancelstate", "pthread_setcanceltype"}, bit(1), 0);
  writes({"pthread_attr_init",
          "pthread_attr_destroy",
          "pthread_attr_setdetachstate",
          "pthread_attr_setstacksize",
          "pthread_attr_setguardsize",
          "pthread_attr_setscope",
          "pthread_attr_setinheritsched",
          "pthread_attr_setschedpolicy",
          "pthread_mutexattr_init",
          "pthread_mutexattr_destroy",
          "pthread_mutexattr_settype",
          "pthread_mutexattr_setrobust",
          "pthread_mutexattr_setrobust_np",
          "pthread_mutexattr_setprotocol",
          "pthread_mutexattr_setpshared",
          "pthread_mutexattr_setprioceiling",
          "pthread_condattr_init",
          "pthread_condattr_destroy",
          "pthread_condattr_setclock",
          "pthread_condattr_setpshared",
          "pthread_rwlockattr_init",
          "pthread_rwlockattr_destroy",
          "pthread_rwlockattr_setpshared",
          "pthread_rwlockattr_setkind_np",
          "pthread_barrierattr_init",
          "pthread_barrierattr_destroy",
          "pthread_barrierattr_setpshared"},
         bit(0), bit(0));
  writes({"pthread_attr_getdetachstate", "pthread_attr_getstacksize", "pthread_attr_getguardsize",
          "pthread_mutexattr_gettype", "pthread_mutexattr_getrobust", "pthread_mutexattr_getrobust_np",
          "pthread_mutexattr_getpshared", "pthread_mutexattr_getprotocol", "pthread_mutexattr_getprioceiling",
          "pthread_condattr_getclock", "pthread_condattr_getpshared", "pthread_rwlockattr_getpshared",
          "pthread_rwlockattr_getkind_np", "pthread_barrierattr_getpshared", "pthread_attr_getscope",
          "pthread_attr_getinheritsched", "pthread_attr_getschedpolicy", "pthread_mutex_getprioceiling"},
         bit(1), bit(0));
  add({"pthread_key_create"}, {.effect = Effect::CallsBack, .callback = 1, .writes = bit(0)});
  add({"tss_create"}, {.effect = Effect::CallsBack, .callback = 1, .writes = bit(0)});
  add({"pthread_once", "call_once"},
      {.effect = Effect::CallsBack, .interaction = Kind::Once, .object_argument = 0, .callback = 1});
  plain({"pthread_atfork"});
  add({"__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort"},
      {.effect = Effect::Synchronises, .interaction = Kind::Once, .object_argument = 0});

  const LibraryFunction initialises{
      .effect = Effect::Synchronises, .interaction = Kind::Initialise, .object_argument = 0, .reads = bit(1)};
  add({"pthread_mutex_init", "pthread_cond_init", "pthread_rwlock_init", "pthread_barrier_init"}, initialises);
  synchronises({"pthread_spin_init", "sem_init", "mtx_init", "cnd_init"}, Kind::Initialise);
  synchronises({"pthread_mutex_destroy", "pthread_cond_destroy", "pthread_rwlock_destroy", "pthread_spin_destroy",
                "pthread_barrier_destroy", "sem_destroy", "mtx_destroy", "cnd_destroy", "sem_close"},
               Kind::Destroy);
  synchronises({"pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_wrlock", "mtx_lock"}, Kind::Lock);
  synchronises(
      {"pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_spin_trylock",
       "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock", "mtx_trylock",
       "mtx_timedlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock"},
      Kind::TryLock);
  synchronises({"pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock", "mtx_unlock",
                "pthread_mutex_consistent", "pthread_mutex_consistent_np"},
               Kind::Unlock);
  synchronises({"pthread_rwlock_rdlock"}, Kind::ReadLock);
  synchronises({"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait"},
               Kind::Wait, 0, 1);
  synchronises({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"}, Kind::Signal);
  synchronises({"sem_wait", "sem_trywait", "sem_timedwait", "sem_clockwait"}, Kind::SemaphoreWait);
  synchronises({"sem_post"}, Kind::SemaphorePost);
  add({"sem_getvalue"},
      {.effect = Effect::Synchronises, .interaction = Kind::SemaphoreWait, .object_argument = 0, .writes = bit(1)});
  allocates({"sem_open"}, bit(0));
  reads({"sem_unlink"}, bit(0));
  add({"kill", "pthread_kill"}, {.effect = Effect::Synchronises, .interaction = Kind::SemaphorePost});
  add({"sigwait", "sigwaitinfo", "sigtimedwait"},
      {.effect = Effect::Synchronises, .interaction = Kind::SemaphoreWait, .reads = bit(0) | bit(2), .writes = bit(1)});
  add({"sigprocmask", "pthread_sigmask"},
      {.effect = Effect::Synchronises, .interaction = Kind::SemaphoreWait, .reads = bit(1), .writes = bit(2)});
  add({"sigpending"}, {.effect = Effect::Synchronises, .interaction = Kind::SemaphoreWait, .writes = bit(0)});
  synchronises({"pthread_barrier_wait"}, Kind::Barrier);
  synchronises({"syscall"}, Kind::Wait, 1);  // a futex: waits, or wakes

  // Calls that Clang emits for atomics it cannot do inline. Argument 0 is the size in the unsized ones.
  add({"__atomic_load"},
      {.effect = Effect::Synchronises, .interaction = Kind::AtomicRead, .object_argument = 1, .writes = bit(2)});
  add({"__atomic_store"},
      {.effect = Effect::Synchronises, .interaction = Kind::AtomicWrite, .object_argument = 1, .reads = bit(2)});
  add({"__atomic_exchange"}, {.effect = Effect::Synchronises,
                              .interaction = Kind::AtomicUpdate,
                              .object_argument = 1,
                              .reads = bit(2),
                              .writes = bit(3)});
  add({"__atomic_compare_exchange"}, {.effect = Effect::Synchronises,
                                      .interaction = Kind::AtomicUpdate,
                                      .object_argument = 1,
                                      .reads = bit(2) | bit(3),
                                      .writes = bit(2)});
  add({"__atomic_load_1", "__atomic_load_2", "__atomic_load_4", "__atomic_load_8", "__atomic_load_16"},
      {.effect = Effect::Synchronises, .interaction = Kind::AtomicRead, .object_argument = 0});
  add({"__atomic_store_1", "__atomic_store_2", "__atomic_store_4", "__atomic_store_8", "__atomic_store_16"},
      {.effect = Effect::Synchronises, .interaction = Kind::AtomicWrite, .object_argument = 0});
  add({"__atomic_exchange_1",   "__atomic_exchange_2",   "__atomic_exchange_4",    "__atomic_exchange_8",
       "__atomic_exchange_16",  "__atomic_fetch_add_1",  "__atomic_fetch_add_2",   "__atomic_fetch_add_4",
       "__atomic_fetch_add_8",  "__atomic_fetch_add_16", "__atomic_fetch_sub_1",   "__atomic_fetch_sub_2",
       "__atomic_fetch_sub_4",  "__atomic_fetch_sub_8",  "__atomic_fetch_sub_16",  "__atomic_fetch_and_1",
       "__atomic_fetch_and_2",  "__atomic_fetch_and_4",  "__atomic_fetch_and_8",   "__atomic_fetch_and_16",
       "__atomic_fetch_or_1",   "__atomic_fetch_or_2",   "__atomic_fetch_or_4",    "__atomic_fetch_or_8",
       "__atomic_fetch_or_16",  "__atomic_fetch_xor_1",  "__atomic_fetch_xor_2",   "__atomic_fetch_xor_4",
       "__atomic_fetch_xor_8",  "__atomic_fetch_xor_16", "__atomic_fetch_nand_1",  "__atomic_fetch_nand_2",
       "__atomic_fetch_nand_4", "__atomic_fetch_nand_8", "__atomic_fetch_nand_16", "__atomic_add_fetch_1",
       "__atomic_add_fetch_2",  "__atomic_add_fetch_4",  "__atomic_add_fetch_8",   "__atomic_add_fetch_16",
       "__atomic_sub_fetch_1",  "__atomic_sub_fetch_2",  "__atomic_sub_fetch_4",   "__atomic_sub_fetch_8",
       "__atomic_sub_fetch_16", "__atomic_and_fetch_1",  "__atomic_and_fetch_2",   "__atomic_and_fetch_4",
       "__atomic_and_fetch_8",  "__atomic_and_fetch_16", "__atomic_or_fetch_1",    "__atomic_or_fetch_2",
       "__atomic_or_fetch_4",   "__atomic_or_fetch_8",   "__atomic_or_fetch_16",   "__atomic_xor_fetch_1",
       "__atomic_xor_fetch_2",  "__atomic_xor_fetch_4",  "__atomic_xor_fetch_8",   "__atomic_xor_fetch_16",
       "__atomic_nand_fetch_1", "__atomic_nand_fetch_2", "__atomic_nand_fetch_4",  "__atomic_nand_fetch_8",
       "__atomic_nand_fetch_16"},
      {.effect = Effect::Synchronises, .interaction = Kind::AtomicUpdate, .object_argument = 0});
  add({"__atomic_compare_exchange_1", "__atomic_compare_exchange_2", "__atomic_compare_exchange_4",
       "__atomic_compare_exchange_8", "__atomic_compare_exchange_16"},
      {.effect = Effect::Synchronises,
       .interaction = Kind::AtomicUpdate,
       .object_argument = 0,
       .reads = bit(1),
       .writes = bit(1)});
  plain({"__atomic_is_lock_free"});

  // The verification competition's interface. An assumption decides what comes after it, as an exit does.
  for (const std::string_view name : kUnknownInputs) plain({name});
  add({"__VERIFIER_assume", "assume_abort_if_not"}, {.effect = Effect::Synchronises, .interaction = Kind::Exit});
  ends({"reach_error", "__VERIFIER_error"}, true);
  add({"__VERIFIER_atomic_begin"}, {.effect = Effect::Synchronises, .interaction = Kind::Lock});
  add({"__VERIFIER_atomic_end"}, {.effect = Effect::Synchronises, .interaction = Kind::Unlock});
}

}  // namespace heddle::analysis
