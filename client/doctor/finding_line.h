// One line of `heddle doctor`: what was looked at, whether it is in order, and what to do if not.
//
// In:      nothing.
// Out:     a value.
// Owns:    values.
// Threads: values.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

namespace heddle::client {

enum class LineState : unsigned char { Ok, Warning, Error };

struct DoctorLine {
  std::string name;  // stable, for programs: "database", "daemon", ...
  LineState state = LineState::Ok;
  std::string message, remedy;  // remedy: empty if there is nothing to do
  bool fixable = false;         // --fix would do it
  bool fixed = false;           // --fix did it just now
};
using DoctorLines = std::vector<DoctorLine>;

}  // namespace heddle::client
