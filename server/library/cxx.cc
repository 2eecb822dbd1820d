// What the C++ language itself calls: operator new and delete, exceptions, run-time types, guards of static locals, and
// the start of a std::thread. The names are those of the Itanium C++ ABI.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv", Model, reads(at(0))},
    {"_ZNKSt15__exception_ptr13exception_ptr6_M_getEv", Model, reads(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", Model, writes(at(0)).reading(at(0)), ReleasesException},
    {"_ZNSt15__exception_ptr13exception_ptr4swapERS0_", Model, writes(at(0, 1)).reading(at(0, 1))},
    {"_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", Model, reads(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptrC1EPv", Model, writes(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", Model, writes(at(0)).reading(at(0, 1)).returning(0)},
    {"_ZNSt15__exception_ptr13exception_ptrC1Ev", Model, writes(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptrC2EPv", Model, writes(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptrC2ERKS0_", Model, writes(at(0)).reading(at(0, 1)).returning(0)},
    {"_ZNSt15__exception_ptr13exception_ptrC2Ev", Model, writes(at(0))},
    {"_ZNSt15__exception_ptr13exception_ptrD1Ev", Model, writes(at(0)).reading(at(0)), ReleasesException},
    {"_ZNSt15__exception_ptr13exception_ptrD2Ev", Model, writes(at(0)).reading(at(0)), ReleasesException},
    {"_ZNSt15__exception_ptr13exception_ptraSERKS0_", Model, writes(at(0)).reading(at(0, 1)).returning(0),
     ReleasesException},
    {kStartThread, Operation, creates_thread().reading(at(1)).writing(at(0)), StartsState},
    {"_ZSt13get_terminatev", Model, nothing, looks_at(kCxxHandlers)},
    {"_ZSt13set_terminatePFvvE", Model, calls_back(0), SetsTerminate, changes(kCxxHandlers)},
    {"_ZSt15get_new_handlerv", Model, nothing, looks_at(kCxxHandlers)},
    {"_ZSt15set_new_handlerPFvvE", Model, calls_back(0), changes(kCxxHandlers)},
    {"_ZSt17current_exceptionv", Model, writes(at(0)).returning(0), CurrentException},
    {"_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", Model, reads(at(0)), RethrowsException,
     LeavesFrames},
    {"_ZSt18uncaught_exceptionv", Model, nothing},
    {"_ZSt19uncaught_exceptionsv", Model, nothing},
    {"_ZSt21__glibcxx_assert_failPKciS0_S0_", Model, fails},
    {"_ZSt9terminatev", Model, fails, Terminates},
    {"_ZdaPv", Model, frees, releases_as(BlockKind::NewArray), verb("frees")},
    {"_ZdaPvRKSt9nothrow_t", Model, frees, verb("frees")},
    {"_ZdaPvSt11align_val_t", Model, frees, verb("frees")},
    {"_ZdaPvSt11align_val_tRKSt9nothrow_t", Model, frees, verb("frees")},
    {"_ZdaPvm", Model, frees, verb("frees")},
    {"_ZdaPvmSt11align_val_t", Model, frees, verb("frees")},
    {"_ZdlPv", Model, frees, releases_as(BlockKind::New), verb("frees")},
    {"_ZdlPvRKSt9nothrow_t", Model, frees, verb("frees")},
    {"_ZdlPvSt11align_val_t", Model, frees, verb("frees")},
    {"_ZdlPvSt11align_val_tRKSt9nothrow_t", Model, frees, verb("frees")},
    {"_ZdlPvm", Model, frees, verb("frees")},
    {"_ZdlPvmSt11align_val_t", Model, frees, verb("frees")},
    {"_Znam", Model, allocates, allocates_as(BlockKind::NewArray)},
    {"_ZnamRKSt9nothrow_t", Model, allocates},
    {"_ZnamSt11align_val_t", Model, allocates},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", Model, allocates},
    {"_Znwm", Model, allocates, allocates_as(BlockKind::New)},
    {"_ZnwmRKSt9nothrow_t", Model, allocates},
    {"_ZnwmSt11align_val_t", Model, allocates},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", Model, allocates},
    {"__cxa_allocate_exception", Model, allocates, ExceptionBlock},
    {"__cxa_begin_catch", Model, reads(at(0)), Catches},
    {"__cxa_call_unexpected", Model, fails},
    {"__cxa_current_exception_type", Model, nothing},
    {"__cxa_deleted_virtual", Model, fails},
    {"__cxa_demangle", Model, allocates.reading(at(0, 2)).writing(at(1, 2, 3)).returning_inside(1)},
    {"__cxa_end_catch", Model, nothing},
    {"__cxa_free_exception", Model, nothing},
    {"__cxa_get_exception_ptr", Model, reads(at(0)), Catches},
    {"__cxa_guard_abort", Operation, synchronises(Once).on(0)},
    {"__cxa_guard_acquire", Operation, synchronises(Once).on(0)},
    {"__cxa_guard_release", Operation, synchronises(Once).on(0)},
    {"__cxa_init_primary_exception", Model, calls_back(2, 0), MakesException},
    {"__cxa_pure_virtual", Model, fails},
    {"__cxa_rethrow", Model, nothing, Rethrows, LeavesFrames},
    {"__cxa_thread_atexit", Model, calls_back(0, 1)},
    {"__cxa_thread_atexit_impl", Model, calls_back(0, 1)},
    {"__cxa_throw", Model, calls_back(2, 0), Throws, LeavesFrames},
    {"__dynamic_cast", Model, reads(at(0)), CastsDynamically},
    {"__sanitizer_annotate_contiguous_container", Model, writes(at(0))},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> cxx_functions() { return kRows; }

}  // namespace heddle::library
