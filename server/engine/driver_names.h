// Threads of drivers by what they call, in place of the functions that Heddle wrote for them: "worker 1 (push(1))", not
// "worker 1 (d3::thread_1_push)". Their objects without the scene that has them: "object.size_".
//
// In:      the text of drivers, as server/frontend/harness writes it; findings of it.
// Out:     findings with other words. Identity, schedule and visible statements stay as they are.
// Owns:    the names.
// Threads: const methods from any.
// Fails:   never; a name that is not of a driver stays.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

class DriverNames {
 public:
  explicit DriverNames(const std::string& text);
  void apply(v1::Finding& finding) const;

 private:
  void replace_in(google::protobuf::Message& message) const;
  std::string replaced(std::string text) const;

  // Names and what replaces them, such as the name of a thread's function; the longest name comes first.
  std::vector<std::pair<std::string, std::string>> calls_;
};

}  // namespace heddle::engine
