// A plain evaluator of units for tests of the lowering: one thread, host memory, no checks. It says what each opcode
// means, independently of the machine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/program/program.h"

namespace heddle::frontend {

class Evaluator {
 public:
  explicit Evaluator(program::UnitPtr unit);
  ~Evaluator();
  // Calls a function without parameters that returns an integer.
  uint64_t call(const std::string& name);

 private:
  using Slots = std::vector<uint64_t>;
  Slots run(const program::Function& function, const Slots& arguments, const std::vector<uint8_t>& variadic);
  uint64_t address(program::SymbolId symbol) const;
  Slots call_site(const program::Function& caller, Slots& frame, const program::Instruction& i);
  void* allocate(uint64_t size);

  program::UnitPtr unit_;
  std::map<uint32_t, uint64_t> addresses_;                  // symbol -> host address
  std::map<uint64_t, const program::Function*> functions_;  // host address -> function
  std::vector<std::unique_ptr<uint8_t[]>> memory_;
};

}  // namespace heddle::frontend
