// Run-time type information: which catch clause takes what is thrown, and where dynamic_cast leads.
//
// In:      typeinfo objects in guest memory; addresses of objects.
// Out:     matches with adjusted addresses; names for messages.
// Owns:    nothing; reads guest memory unchecked, since typeinfo is constant.
// Threads: the thread that uses the machine.
// Fails:   never; what is no typeinfo matches nothing.
// From:    Itanium C++ ABI 2.9.4 (layout) and 2.9.7 (dynamic_cast); libstdc++'s conversions in catch clauses.
#pragma once

#include <string>
#include <vector>

#include "server/machine/state.h"

namespace heddle::machine {

enum class TypeInfoKind : uint8_t { Class, SingleBase, Bases, Pointer, MemberPointer, Fundamental, Function, None };

class TypeInfos {
 public:
  TypeInfos(const Machine::State& state, const Thread& thread) : s_(state), t_(thread) {}

  // Does a clause for `wanted` (0: catch everything) take an object of type `thrown`? `object` is its address; what
  // __cxa_begin_catch has to return comes back in it.
  bool catches(uint64_t wanted, uint64_t thrown, uint64_t& object) const;
  // The address of the `wanted` part of the complete object that `object`, a `given`, is a part of; 0: there is none.
  uint64_t cast(uint64_t object, uint64_t given, uint64_t wanted) const;
  // `object` as its public, unambiguous base `wanted`.
  bool upcast(uint64_t wanted, uint64_t type, uint64_t& object) const;
  std::string name(uint64_t type) const;  // "std::runtime_error"
  TypeInfoKind kind(uint64_t type) const;
  bool same(uint64_t a, uint64_t b) const;

 private:
  struct Part {  // a subobject
    uint64_t address;
    bool is_public;
  };
  // Calls visit(type, address, every step to it is public) for an object and all its bases, one path at a time.
  template <typename Visit>
  void walk(uint64_t type, uint64_t address, uint64_t base_of_null, bool is_public, uint32_t depth,
            Visit&& visit) const;
  std::vector<Part> parts(uint64_t type, uint64_t address, uint64_t wanted, bool null) const;
  bool takes(uint64_t wanted, uint64_t thrown, uint64_t& object, uint32_t outer) const;
  bool takes_pointer(uint64_t wanted, uint64_t thrown, uint64_t& object, uint32_t outer) const;
  std::string_view link_name(uint64_t type) const;  // valid as long as the program
  uint64_t word(uint64_t at) const { return s_.peek({at}, 8); }
  uint32_t half(uint64_t at) const { return static_cast<uint32_t>(s_.peek({at}, 4)); }

  const Machine::State& s_;
  const Thread& t_;
};

void find_type_info_vtables(Machine::State& state);

}  // namespace heddle::machine
