// Finds what a function does with the addresses of a local variable, before SROA.
//
// In:      a variable of constant size.
// Out:     yes or no. Addresses with offsets that are not constant are not followed, because SROA keeps their
//          variables.
// Cost:    linear in the uses of the variable and of addresses made from it.
// Owns:    nothing.
// Threads: one per module.
// Fails:   never; after 10,000 addresses the answer is no.
#pragma once

#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// True if an access lies before its first byte or beyond its last one. SROA treats such accesses as unreachable.
bool accessed_outside(const llvm::AllocaInst& variable);

// True if its address is stored in memory. What is done through that copy is not seen here.
bool address_stored(const llvm::AllocaInst& variable);

}  // namespace heddle::frontend
