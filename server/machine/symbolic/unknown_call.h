// What a call of a function does that nothing defines, by the names in the project's settings.
//
// In:      the policies by name, as linked or as written ("_ZN2ns1fEi", "ns::f(int)", "ns::f"); a link name or an
//          image.
// Out:     the policy of the most exact name, else the one for all others; whether the project uses undefined names.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>

#include "server/machine/symbolic/inputs.h"

namespace heddle::machine {

const UnknownPolicy& unknown_policy(const UnknownCalls& calls, const std::string& link_name);
bool fits(const ValueRange& range, uint32_t width);  // some value of it, of an integer of this width in bits

inline UnknownCall unknown_call(const UnknownCalls& calls, const std::string& link_name) {
  return unknown_policy(calls, link_name).how;
}

// Does the project's text name something, if only for its address, that nothing defines and the library does not have?
class Image;
bool lacks_definitions(const Image& image);

}  // namespace heddle::machine
