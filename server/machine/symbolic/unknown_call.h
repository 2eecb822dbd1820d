// What a call of a function does that nothing defines, by the names in the project's settings.
//
// In:      the policies by name, as linked or as written ("_ZN2ns1fEi", "ns::f(int)", "ns::f"); a link name or an
//          image.
// Out:     the policy of the most exact name, else the one for all others; whether the project uses undefined names.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/machine/symbolic/inputs.h"
#include "server/program/unit.h"

namespace heddle::machine {

class Image;

const UnknownPolicy& unknown_policy(const UnknownCalls& calls, const std::string& link_name);
// What of the range an integer has that a call returns, as its bits; none: no value of it fits.
std::optional<std::pair<uint64_t, uint64_t>> fitting(const ValueRange& range, const program::Instruction& call);
bool returns_integer(const program::Instruction& call);  // of up to 64 bits
bool returns_signed(const program::Instruction& call);
// The argument is one word that may be a pointer, and that of its size is a number.
bool can_fill(const program::CallSite& site, const UnknownFill& fill);
// Of an image's calls of functions that nothing defines: those whose policy has values of which none fits the result, or
// fills by an argument that the call does not have. Each function once.
struct UnfittingCall {
  std::string function;  // as it is written
  std::string setting;   // the name in the settings; empty: the policy of all others
  program::Instruction call;
  bool fills = false;      // it is about what the policy fills, not about its values
  uint32_t arguments = 0;  // of the call
};
std::vector<UnfittingCall> unfitting_calls(const Image& image, const UnknownCalls& calls);

// The names in the settings that are those of functions which the image names, if only for their address, and nothing
// defines.
std::vector<std::string> names_that_decide(const Image& image, const UnknownCalls& calls);

inline UnknownCall unknown_call(const UnknownCalls& calls, const std::string& link_name) {
  return unknown_policy(calls, link_name).how;
}

// Does the project's text name something, if only for its address, that nothing defines and the library does not have?
bool lacks_definitions(const Image& image);

}  // namespace heddle::machine
