// cxxabi.h: readable names of types and functions.
#include <cxxabi.h>

#include <cstdlib>

#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

// abi::__cxa_demangle(name, buffer, its size, status)
Status demangle(Guest& g) {
  std::string name;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  int32_t status = 0;
  char* const readable = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string text = readable != nullptr ? readable : "";
  std::free(readable);
  if (g.pointer(3).bits != 0 && !store(g, g.pointer(3), status)) return Status::Faulted;
  if (status != 0) return done(g, uint64_t{0});
  Pointer to = g.pointer(1);
  uint64_t room = 0;
  if (to.bits != 0 && !load(g, g.pointer(2), room)) return Status::Faulted;
  if (room <= text.size()) {
    if (!g.release(to)) return Status::Faulted;
    to = g.allocate(text.size() + 1, 16, false);
    room = text.size() + 1;
  }
  if (g.pointer(2).bits != 0 && !store(g, g.pointer(2), room)) return Status::Faulted;
  if (!g.write_string(to, text)) return Status::Faulted;
  return done(g, to);
}

constexpr BuiltinRow kRows[] = {{"__cxa_demangle", demangle}};

}  // namespace

std::span<const BuiltinRow> demangle_rows() { return kRows; }

}  // namespace heddle::machine::models
