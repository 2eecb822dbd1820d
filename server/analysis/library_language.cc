// What the C++ language itself calls: operator new and delete, exceptions, run-time types. Where thrown objects go:
// Builder::exception_call.
#include "server/analysis/library_table.h"

namespace heddle::analysis {

void LibraryTable::language() {
  allocates({"_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", "_ZnwmRKSt9nothrow_t",
             "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t",
             "__cxa_allocate_exception"});
  add({"_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
       "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t",
       "_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t"},
      {.effect = Effect::Frees, .interaction = Kind::Free, .object_argument = 0});
  add({"__cxa_throw"}, {.effect = Effect::CallsBack, .callback = 2, .callback_data = 0});
  add({"__cxa_init_primary_exception"}, {.effect = Effect::CallsBack, .callback = 2, .callback_data = 0});
  add({"__cxa_thread_atexit", "__cxa_thread_atexit_impl"},
      {.effect = Effect::CallsBack, .callback = 0, .callback_data = 1});
  add({"_ZSt13set_terminatePFvvE", "_ZSt15set_new_handlerPFvvE"}, {.effect = Effect::CallsBack, .callback = 0});
  add({"__cxa_demangle"},
      {.effect = Effect::Allocates, .reads = bit(0) | bit(2), .writes = bit(1) | bit(2) | bit(3), .returns = 1});
  plain({"_ZSt13get_terminatev", "_ZSt15get_new_handlerv", "__cxa_free_exception", "__cxa_end_catch",
         "_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv", "__cxa_rethrow", "__cxa_current_exception_type"});
  reads({"__cxa_begin_catch", "__cxa_get_exception_ptr", "__dynamic_cast"}, bit(0));  // result: exception_call
  writes({"_ZSt17current_exceptionv"}, bit(0), 0, 0);
  reads({"_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
         "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", "_ZNKSt15__exception_ptr13exception_ptr6_M_getEv",
         "_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv"},
        bit(0));
  writes({"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", "_ZNSt15__exception_ptr13exception_ptrD1Ev",
          "_ZNSt15__exception_ptr13exception_ptrD2Ev"},
         bit(0), bit(0));
  writes({"_ZNSt15__exception_ptr13exception_ptrC1Ev", "_ZNSt15__exception_ptr13exception_ptrC2Ev",
          "_ZNSt15__exception_ptr13exception_ptrC1EPv", "_ZNSt15__exception_ptr13exception_ptrC2EPv"},
         bit(0), 0);
  writes({"_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", "_ZNSt15__exception_ptr13exception_ptrC2ERKS0_",
          "_ZNSt15__exception_ptr13exception_ptraSERKS0_"},
         bit(0), bit(0) | bit(1), 0);
  writes({"_ZNSt15__exception_ptr13exception_ptr4swapERS0_"}, bit(0) | bit(1), bit(0) | bit(1));
  ends({"_ZSt9terminatev", "__cxa_call_unexpected", "__cxa_pure_virtual", "__cxa_deleted_virtual"}, true);
}

}  // namespace heddle::analysis
