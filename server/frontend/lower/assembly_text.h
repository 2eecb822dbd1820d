// The text of inline assembly for x86-64 (AT&T), as steps.
//
// In:      the text as LLVM keeps it: `$0` and `${0:b}` are operands, `$$5` is a number, `%eax` a register.
// Out:     a step per instruction, without those that do nothing; operands in the order of the text.
// Owns:    nothing.
// Threads: any.
// Fails:   never. What is no instruction or operand that it knows has the name "?" or no place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

struct AssemblyOperand {
  unsigned index = ~0u;           // of the call's operands
  std::string name;               // or a register: "ax" for %rax, %eax, %ax and %al
  std::optional<int64_t> number;  // or a number
  bool dereferenced = false;      // in parentheses: the memory at that address
};

struct AssemblyStep {
  std::string name;   // without the suffix of the size
  unsigned bits = 0;  // by that suffix, or by a register that is named; 0: by the operands
  bool locked = false;
  std::vector<AssemblyOperand> operands;
};

std::vector<AssemblyStep> steps_of(const std::string& text);

}  // namespace heddle::frontend
