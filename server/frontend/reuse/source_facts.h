// Defines the facts about a compile that only the AST knows, keyed by link name, without Clang's types.
//
// In:      filled by ast_facts.h.
// Out:     plain data. Lines and columns count from 1, 0 means unknown.
// Owns:    values.
// Threads: values.
// Fails:   never.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/program/unit.h"

namespace heddle::frontend {

struct SourcePlace {
  std::string path;
  uint32_t line = 0, column = 0;
};

struct StatementFact {
  program::StatementKind kind = program::StatementKind::Other;
  std::string path;
  uint32_t begin_line = 0, begin_column = 0, end_line = 0, end_column = 0;
};

struct DefinitionFacts {
  std::string display_name;
  SourcePlace place;
  bool system = false;  // defined in a system header
  std::vector<StatementFact> statements;
};

// Of a function that the compile does not define, if it returns no signed integer: for showing values.
struct ResultFact {
  program::Type type;
  bool is_unsigned = false;
  bool system = false;  // declared in a system header
};

struct SourceFacts {
  bool ends_sequences = false;  // C++20 or C23: a relaxed store ends the release sequence of its own thread
  std::map<std::string, DefinitionFacts, std::less<>> definitions;  // functions and variables
  std::map<std::string, ResultFact, std::less<>> results;
};

}  // namespace heddle::frontend
