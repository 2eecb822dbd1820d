// The arguments after the named ones: of a call, and of a va_list.
#include "server/machine/library/model.h"

namespace heddle::machine {

bool CallVariadics::next_int(uint64_t& bits) {
  if (next_ >= guest_.argument_count())
    return guest_.s.fault(*guest_.t, FaultKind::OutOfBounds, "reads a variadic argument that was not passed");
  bits = guest_.argument(next_++);
  return true;
}

bool CallVariadics::next_double(double& value) {
  uint64_t bits = 0;
  if (!next_int(bits)) return false;
  value = __builtin_bit_cast(double, bits);
  return true;
}

bool CallVariadics::next_long_double(long double& value) {
  if (next_ >= guest_.argument_count())
    return guest_.s.fault(*guest_.t, FaultKind::OutOfBounds, "reads a variadic argument that was not passed");
  value = guest_.long_double_argument(next_++);
  return true;
}

bool ListVariadics::take(void* to, uint32_t size, uint32_t alignment) {
  uint64_t area = 0;
  if (!guest_.read({list_.bits + 8}, &area, 8)) return false;
  const uint64_t at = (area + alignment - 1) / alignment * alignment;
  if (area == 0 || guest_.s.memory_.find(at)->size < static_cast<uint32_t>(at) + uint64_t{size})
    return guest_.s.fault(*guest_.t, FaultKind::OutOfBounds, "reads a variadic argument that was not passed");
  const uint64_t next = at + (size + 7) / 8 * 8;
  return guest_.read({at}, to, size) && guest_.write({list_.bits + 8}, &next, 8);
}

bool ListVariadics::next_int(uint64_t& bits) { return take(&bits, 8, 8); }
bool ListVariadics::next_double(double& value) { return take(&value, 8, 8); }
bool ListVariadics::next_long_double(long double& value) {
  value = 0;
  return take(&value, 16, 16) || false;
}

}  // namespace heddle::machine
