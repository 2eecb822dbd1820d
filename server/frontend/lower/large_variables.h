// Variables that are larger than what can be explored, and how much of a large one's first value is worth keeping.
// Internal to the folder.
//
// In:      a module after our passes.
// Out:     an error for each variable beyond the limits; bytes.
// Owns:    nothing.
// Threads: any; pure functions.
// Fails:   never.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <vector>

#include "server/frontend/command/command.h"

namespace heddle::frontend {

std::vector<Diagnostic> too_large_variables(const llvm::Module& module, const std::string& main_file);

// Of the value: up to where only zeros follow.
uint64_t bytes_before_zeros(const llvm::Constant& value, const llvm::DataLayout& layout);

}  // namespace heddle::frontend
