// What is done to the addresses of local variables in a function that SROA has not seen yet.
//
// In:      a variable of constant size. Out: yes or no; addresses with other than constant offsets are not followed,
//          since SROA leaves their variables alone.
// Cost:    linear in the uses of the variable and of addresses made from it.
// Owns:    nothing. Threads: any. Fails: never.
#pragma once

#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// Some access lies before its first byte or goes beyond its last one. SROA takes such accesses for unreachable.
bool accessed_outside(const llvm::AllocaInst& variable);

// Its address is kept in memory: what is done through that is not seen here.
bool address_stored(const llvm::AllocaInst& variable);

}  // namespace heddle::frontend
