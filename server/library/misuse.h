// Says what a program did wrong with one of libstdc++'s synchronisation objects when a member of it ends the program or
// throws, and in which mode a member gives a std::shared_mutex back.
//
// In:      the member's link name.
// Out:     the rule, or null; the mode.
// Owns:    a constant table.
// Threads: pure function.
// Fails:   never; null for a member without a rule.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::library {

enum class MisuseKind : uint8_t { Thread, Lock };

struct MisuseRule {
  std::string_view begin, end;  // of the member's link name
  MisuseKind kind;
  std::string_view message;  // "destroys a std::thread that is joinable"
};

const MisuseRule* find_misuse(std::string_view name);

enum class HoldMode : uint8_t { Any, Shared, Exclusive };  // Any: not a member that gives back
HoldMode given_back_by(std::string_view name);

}  // namespace heddle::library
