// A program that forces the interleaving of a finding natively: the user's text with calls before and after the
// statements of the interleaving, which wait for their turn.
//
// In:      a finding with its interleaving; the texts of the project's files as they are.
// Out:     one C or C++ text, headers of the project included, and what could not be stopped at.
// Owns:    nothing.
// Threads: pure function but for `read`, which is called.
// Fails:   with a message: no interleaving, several source files, a file that cannot be read.
// From:    the turns are kept by relaxed atomics, which order nothing for ThreadSanitizer, so that a race stays one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct NativeTest {
  std::string text;
  std::vector<std::string> notes;  // sentences: lines inside of which it does not stop
};

using TextOf = std::function<std::optional<std::string>(const std::string& path)>;

std::variant<NativeTest, Failure> native_test(const v1::Finding& finding, const TextOf& read);

}  // namespace heddle::client
