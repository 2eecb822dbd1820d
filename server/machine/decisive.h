// Which slots and variables of a program decide anything: a branch, an address, an argument of the library, a result.
//
// In:      a decoded program.
// Out:     per operation the slots whose values can still decide something; the variables that hold nothing but numbers
//          which no such slot is loaded from.
// Cost:    a fixed point over all functions, once per image that is asked for.
// Owns:    its tables.
// Threads: values; share them freely.
// Fails:   never. What is not understood counts as deciding.
// From:    faint variables: Giegerich, Moencke, Wilhelm 1981; across calls as in program slicing (Weiser 1981).
#pragma once

#include <cstdint>
#include <vector>

#include "server/machine/code/image.h"

namespace heddle::machine {

class Decisive {
 public:
  explicit Decisive(const Image& image);

  // A bit per slot, `words(function)` words per operation of the function.
  const uint64_t* before(uint32_t function, uint32_t at) const {
    return functions_[function].live.data() + size_t{at} * functions_[function].words;
  }
  uint32_t words(uint32_t function) const { return functions_[function].words; }
  // GlobalIds of variables whose contents decide nothing.
  const std::vector<uint32_t>& idle_globals() const { return idle_; }
  // A thread_local variable whose address goes elsewhere than to a load or store: it may say which thread it belongs
  // to.
  bool names_thread(uint32_t global) const { return leaves_[global]; }

 private:
  struct Function {
    uint32_t words = 0;
    std::vector<uint64_t> live;      // per operation, and one more row
    std::vector<uint32_t> variable;  // of a load or store: the GlobalId that it is of, plus 1; 0: not known
    bool result = false;             // it is used
  };
  using Visit = const program::Instruction&;

  void find_addresses(uint32_t f);
  void follow_address(uint32_t f, Visit i, uint32_t at, std::vector<uint32_t>& held);
  void note_initial_addresses();
  bool follow(uint32_t f);
  void use(uint32_t f, Visit i, uint32_t at, const std::vector<uint64_t>& after, std::vector<uint64_t>& now);
  void use_call(uint32_t f, Visit i, uint32_t at, std::vector<uint64_t>& now);
  bool stores_idly(uint32_t f, uint32_t at) const;
  bool defines_live(uint32_t f, Visit i, const std::vector<uint64_t>& after) const;

  const Image& image_;
  std::vector<Function> functions_;
  std::vector<bool> decides_, leaves_;  // GlobalId
  std::vector<uint32_t> idle_;
  bool all_decide_ = false;  // plain liveness
  bool changed_ = false;
};

}  // namespace heddle::machine
