// Writes drivers as one C or C++ text, which Heddle explores and which also compiles natively.
//
// In:      subjects, and the text that includes them.
// Out:     the text; which of its lines belong to which call, so that calls that do not compile can be left out.
// Cost:    linear in the text.
// Owns:    values.
// Threads: any.
// Fails:   never.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/frontend/harness/plan.h"
#include "server/frontend/harness/subject.h"

namespace heddle::frontend::harness {

struct Style {
  bool cxx = true, exceptions = true;
  bool linearizable = false;
  bool sequential = false;  // one call after the other, in every order
  std::string include;      // lines
  std::string heading;      // comment lines
};

// Lines of the text, from 1, both included. `call`: kObject's own lines have none.
struct Part {
  static constexpr size_t kNoCall = ~size_t{0};
  size_t first = 0, last = 0;
  size_t subject = 0, call = kNoCall;
};

struct Written {
  std::string text;
  std::vector<Part> parts;
};

Written write(const std::vector<Subject>& subjects, const Style& style);

// The part of every driver that does not depend on the subject. `orders`: with sequential runs.
std::string runtime_text(bool cxx, bool orders);

}  // namespace heddle::frontend::harness
