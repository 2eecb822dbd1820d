// Prepares a call site or a switch of a program for the interpreter.
//
// In:      an image whose externals are bound; the address and the instruction of a call, or the table of a switch.
// Out:     which operation the interpreter performs, and what it has to know of the callee, the arguments, the values.
//          What the call means for the whole image is noted there: functions that are not modelled, sampled values,
//          uses of the clock, relaxed stores of C's functions.
// Owns:    nothing; values.
// Threads: the thread that makes the image.
// Fails:   never. A function that is not modelled becomes an operation that says so when it runs.
#pragma once

#include <optional>

#include "server/machine/code/image.h"

namespace heddle::machine {

// A call that allocates or releases a block without leaving the interpreter.
struct HeapCall {
  Code code;
  AllocatedBy by;
};

class CallDecoder {
 public:
  CallDecoder(Image& image, CodeAddress at, const program::Instruction& instruction);

  // Appends the slots of the arguments to the image.
  Code decode();

  CallInfo info;                 // after decode()
  std::optional<HeapCall> heap;  // after decode()

 private:
  Code code_of_callee();
  Callee callee_of_definition(uint32_t function) const;
  std::optional<HeapCall> heap_call(const std::string& name) const;
  void note_clock(const std::string& name);
  void note_sampled();
  uint32_t add_arguments(Code code);

  Image& image_;
  const CodeAddress at_;
  const program::Instruction& instruction_;
  const program::Function& function_;
};

// `indirect`: a jump to an address, whose values are no matter.
SwitchInfo switch_info(const program::SwitchTable& table, bool indirect);

void note_unknown(Image& image, uint32_t external, CodeAddress at);

}  // namespace heddle::machine
