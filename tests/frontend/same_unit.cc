#include "tests/frontend/same_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "server/program/print.h"

namespace heddle::frontend {
namespace {

// A unit as text, whatever the order in which it lists its parts; only initialisers run in theirs. Places of what the
// compiler makes for the library's classes depend on which of their declarations it met last: the hash leaves them out.
std::map<std::string, std::string> parts_of(const program::Unit& unit) {
  std::map<std::string, std::string> parts;
  for (const program::Function& function : unit.functions)
    parts["function " + unit.symbols[function.symbol.value].name] =
        function.hash.hex() + (function.in_project ? "\n" + program::print(unit, function) : "");
  for (const program::Global& global : unit.globals)
    parts["global " + unit.symbols[global.symbol.value].name] = global.hash.hex();
  for (const program::Function& function : unit.functions)
    parts["functions in order"] += unit.symbols[function.symbol.value].name + "\n";
  std::string& order = parts["initialisers"];
  for (const program::Initialiser& one : unit.initialisers) order += unit.symbols[one.function.value].name + "\n";
  for (const program::Alias& alias : unit.aliases)
    parts["alias " + unit.symbols[alias.symbol.value].name] = unit.symbols[alias.target.value].name;
  return parts;
}

std::vector<std::string> texts_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> texts;
  for (const Diagnostic& d : diagnostics)
    texts.push_back(d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message);
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

void expect_equal(const CompileResult& made, const CompileResult& as_written) {
  EXPECT_EQ(texts_of(made.diagnostics), texts_of(as_written.diagnostics));
  ASSERT_EQ(made.unit != nullptr, as_written.unit != nullptr);
  if (!made.unit) return;
  EXPECT_EQ(program::verify(*made.unit), std::vector<std::string>{});
  const auto parts = parts_of(*made.unit), expected = parts_of(*as_written.unit);
  for (const auto& [name, text] : expected) {
    ASSERT_TRUE(parts.contains(name)) << name;
    EXPECT_EQ(parts.at(name), text) << name;
  }
  EXPECT_EQ(parts.size(), expected.size());
}

}  // namespace heddle::frontend
