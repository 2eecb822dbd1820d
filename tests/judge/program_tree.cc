#include "tests/judge/program_tree.h"

namespace heddle::judge {

std::string print(const Tree& tree) { return tree.language == Language::Cxx ? print_cxx(tree) : print_c(tree); }

std::vector<std::string> locks_of(const Statement& statement) {
  const size_t comma = statement.text.find(", ");
  if (comma == std::string::npos) return {statement.text};
  return {statement.text.substr(0, comma), statement.text.substr(comma + 2)};
}

}  // namespace heddle::judge
