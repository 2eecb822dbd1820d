// C text explored: compile, link, analyse, decode, search. For tests of detect and explore.
#pragma once

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

namespace heddle::explore {

struct CProgram {
  explicit CProgram(const std::string& text) : source(text), program(test::program_of(text)) {
    facts = analysis::analyse(program);
    image = machine::make_image(program, facts);
  }

  // The code of the lines that hold the marker, as a fragment of the function they are in.
  edit::Fragment fragment(const std::string& marker = "l_mod") const {
    std::set<uint32_t> lines;
    std::istringstream in(source);
    std::string line;
    for (uint32_t number = 1; std::getline(in, line); ++number) {
      if (line.find(marker) != std::string::npos) lines.insert(number);
    }
    edit::Fragment result;
    for (uint32_t f = 0; f < program->function_count(); ++f) {
      const program::FunctionId function(f);
      const auto& code = program->function(function).code;
      for (uint32_t n = 0; n < code.size(); ++n) {
        if (!lines.count(program->place({function, n}).line)) continue;
        result.function = function;
        result.code.push_back(n);
        if (facts->interaction({function, n}) != nullptr) result.statements.push_back(n);
      }
    }
    return result;
  }

  edit::ThreadName role(const std::string& name, uint32_t instance = 0) const {
    for (uint32_t n = 0; n < facts->roles.size(); ++n) {
      if (facts->roles[n].name == name) return {analysis::RoleId(n), instance};
    }
    return {};
  }

  std::vector<bool> objects(const std::vector<std::string>& names) const {
    std::vector<bool> result(facts->objects.size());
    for (size_t n = 0; n < result.size(); ++n) {
      result[n] = std::find(names.begin(), names.end(), facts->objects[n].name) != names.end();
    }
    return result;
  }

  std::string source;
  program::ProgramPtr program;
  analysis::FactsPtr facts;
  machine::ImagePtr image;
};

struct Explored {
  Result result;
  std::vector<detect::Finding> findings;
  std::set<std::string> rules() const {
    std::set<std::string> all;
    for (const auto& finding : findings) all.insert(finding.rule);
    return all;
  }
  const detect::Finding* of(const std::string& rule) const {
    for (const auto& finding : findings) {
      if (finding.rule == rule) return &finding;
    }
    return nullptr;
  }
};

inline Explored run(const CProgram& program, const Task& task) {
  Explored explored;
  Listener listener;
  listener.finding = [&](const detect::Finding& finding) { explored.findings.push_back(finding); };
  explored.result = explore(program.image, program.facts.get(), task, listener);
  return explored;
}

inline Explored run_full(const CProgram& program, Reductions reductions = {}) {
  Task task;
  task.reductions = reductions;
  return run(program, task);
}

inline Explored run_pair(const CProgram& program, edit::ThreadName modified, edit::ThreadName other) {
  Task task;
  task.mode = Mode::Pairwise;
  task.fragment = program.fragment();
  task.modified = modified;
  task.other = other;
  return run(program, task);
}

}  // namespace heddle::explore
