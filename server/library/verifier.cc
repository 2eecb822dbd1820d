// The verification competition's interface, and what drivers of `heddle harness` use. An assumption decides what comes after it, as an exit does.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"__VERIFIER_assume", Operation, synchronises(Exit)},
    {"__VERIFIER_atomic_begin", Operation, synchronises(Lock), BeginsSection},
    {"__VERIFIER_atomic_end", Operation, synchronises(Unlock)},
    {"__VERIFIER_error", Model, fails},
    {"__VERIFIER_nondet__Bool", Operation, nothing},
    {"__VERIFIER_nondet_bool", Operation, nothing},
    {"__VERIFIER_nondet_char", Operation, nothing},
    {"__VERIFIER_nondet_double", Operation, nothing},
    {"__VERIFIER_nondet_float", Operation, nothing},
    {"__VERIFIER_nondet_int", Operation, nothing},
    {"__VERIFIER_nondet_loff_t", Operation, nothing},
    {"__VERIFIER_nondet_long", Operation, nothing},
    {"__VERIFIER_nondet_longlong", Operation, nothing},
    {"__VERIFIER_nondet_pchar", Operation, nothing},
    {"__VERIFIER_nondet_pointer", Operation, nothing},
    {"__VERIFIER_nondet_schar", Operation, nothing},
    {"__VERIFIER_nondet_short", Operation, nothing},
    {"__VERIFIER_nondet_size_t", Operation, nothing},
    {"__VERIFIER_nondet_u16", Operation, nothing},
    {"__VERIFIER_nondet_u32", Operation, nothing},
    {"__VERIFIER_nondet_u64", Operation, nothing},
    {"__VERIFIER_nondet_u8", Operation, nothing},
    {"__VERIFIER_nondet_uchar", Operation, nothing},
    {"__VERIFIER_nondet_uint", Operation, nothing},
    {"__VERIFIER_nondet_ulong", Operation, nothing},
    {"__VERIFIER_nondet_ulonglong", Operation, nothing},
    {"__VERIFIER_nondet_unsigned", Operation, nothing},
    {"__VERIFIER_nondet_unsigned_char", Operation, nothing},
    {"__VERIFIER_nondet_unsigned_int", Operation, nothing},
    {"__VERIFIER_nondet_unsigned_long", Operation, nothing},
    {"__VERIFIER_nondet_ushort", Operation, nothing},
    {"__heddle_settle", Operation, synchronises(Join)},
    {"assume_abort_if_not", Operation, synchronises(Exit)},
    {"reach_error", Model, fails},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> verifier_functions() { return kRows; }

}  // namespace heddle::library
