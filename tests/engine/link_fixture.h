// A project whose compile database the test writes, with the outputs of its commands, and a real engine process.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/engine/harness.h"

namespace heddle::engine::test {

class Link : public ::testing::Test {
 protected:
  struct Entry {
    std::string file, output;
  };
  void database(const std::vector<Entry>& entries) const {
    std::string text;
    for (const Entry& entry : entries)
      text += (text.empty() ? "[" : ",\n") + std::string("{\"directory\": \"") + folder_.path() +
              "\", \"command\": \"c++ " + (entry.output.empty() ? "" : "-o " + entry.output + " ") + "-c " +
              entry.file + "\", \"file\": \"" + entry.file + "\"}";
    folder_.write("compile_commands.json", text + "]");
  }
  Answer check(const std::string& target = "") {
    v1::CheckRequest request;
    request.set_root(folder_.path());
    request.set_target(target);
    return engine_.check(request);
  }
  static v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }
  static std::vector<std::string> targets(const Answer& answer) {
    std::vector<std::string> names;
    for (const v1::Event& event : answer.events)
      if (event.has_verdict() && !event.target().empty()) names.push_back(event.target());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  static bool says(const Answer& answer, const std::string& words) {
    const v1::Verdict& verdict = *answer.final_verdict();
    const auto in = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const std::string& text) { return text.find(words) != text.npos; });
    };
    return in(verdict.scope().assumptions()) || in(verdict.scope().limits()) ||
           verdict.message().find(words) != std::string::npos;
  }
  using Names = std::vector<std::string>;

  ProjectFolder folder_;
  EngineProcess engine_;
};

}  // namespace heddle::engine::test
