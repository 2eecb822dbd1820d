// A kind of statement, and the ways in which an edit of it can reach a program: written out, as a call, in a header, in
// another file, by a macro, by a flag, by what is linked.
//
// In:      a file of kinds/: comments with one STATEMENT a line, then a program with the words STATEMENT, where they
//          stand, and HELPERS, in front of the functions.
// Out:     the files and flags of a version.
// Owns:    values. Threads: pure. Fails: throws std::runtime_error for a kind that cannot be read.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::clear {

struct Kind {
  std::string name;  // of the file
  std::string program;
  std::vector<std::string> statements;
  bool local = false;  // the statement uses variables of its function: it stays there
};

struct Sources {
  std::map<std::string, std::string> files;
  std::vector<std::string> units;  // that are compiled and linked; the first has main
  std::vector<std::string> flags;
  bool operator==(const Sources&) const = default;
};

struct Pair {
  std::string name;  // kind/form/from-to
  Sources before, after;
};

Kind read_kind(const std::string& path);
std::vector<Pair> pairs_of(const Kind& kind);

}  // namespace heddle::clear
