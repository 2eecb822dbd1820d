// Pairs what only the compiler's numbers distinguish: lambdas, classes without a name, static variables of blocks. One
// more in front renumbers those after it and every template that is instantiated with one of them.
//
// In:      the definitions of both versions, by name.
// Out:     for each name of one version a name that is equal for what is the same in both: those that are numbered are
//          paired within their function, in order, by what their code does.
// Cost:    linear in names and code, if a numbered name differs; quadratic in the number of lambdas of one function.
// Owns:    its tables; values.
// Threads: immutable after construction, readable anywhere.
// Fails:   never; what has no counterpart has a name of its own. A pair that a reader would not choose costs time and
//          hides nothing: the code of both is compared. Classes of one name in several blocks of a function keep the
//          compiler's numbers.
// From:    longest common subsequence, weighted by similarity.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/edit/numbered_name.h"
#include "server/program/program.h"

namespace heddle::edit {

// What has a name with a number, and what its code does.
struct NumberedCode {
  NumberedName name;
  uint64_t exact = 0;
  std::vector<uint64_t> steps;  // sorted
};

// One version's, by name and number.
class NumberedNames {
 public:
  explicit NumberedNames(const program::Program& program) : program_(program) {}

  void define(program::FunctionId function, const std::string& name);
  void define(program::GlobalId global, const std::string& name);
  // Equal ones need no pairing.
  bool operator==(const NumberedNames& other) const { return defined_ == other.defined_; }
  std::map<std::string, NumberedCode> code() const;  // by key

 private:
  struct Definition {
    std::string name;
    program::Hash hash;
    auto operator<=>(const Definition&) const = default;
  };

  void add_lambda(program::FunctionId function, std::map<std::string, NumberedCode>& to) const;
  void add_uses(program::FunctionId function, const std::map<program::GlobalId, NumberedCode*>& variables) const;
  uint64_t step(program::FunctionId function, const program::Instruction& instruction) const;

  const program::Program& program_;
  std::vector<Definition> defined_;                       // in the order of the program
  std::map<program::FunctionId, std::string> functions_;  // those with a number in their name
  std::map<program::GlobalId, std::string> globals_;
};

class Renamed {
 public:
  Renamed(const NumberedNames& before, const NumberedNames& after);

  bool any() const { return !numbers_.empty(); }
  std::string name_before(const std::string& name) const;
  std::string name_after(const std::string& name) const;

 private:
  void pair(const std::map<std::string, NumberedCode>& before, const std::map<std::string, NumberedCode>& after);

  std::string number(const NumberedName& name, const NumberedName::Part& part) const;

  std::map<std::string, std::string> numbers_;  // what is numbered in the old version -> its number in the new one
};

}  // namespace heddle::edit
