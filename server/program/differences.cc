#include "server/program/differences.h"

#include <map>

#include "server/program/print.h"

namespace heddle::program {
namespace {

constexpr size_t kSentencesMax = 20;

// A unit as text by its parts; only functions and initialisers have an order. Places of what the compiler makes for the
// library's classes depend on which of their declarations it met last: the hash leaves them out.
std::map<std::string, std::string> parts_of(const Unit& unit) {
  const auto name = [&](SymbolId symbol) { return unit.symbols[symbol.value].name; };
  std::map<std::string, std::string> parts;
  for (const Function& function : unit.functions) {
    parts["function " + name(function.symbol)] =
        function.hash.hex() + (function.in_project ? "\n" + print(unit, function) : "");
    parts["the order of functions"] += name(function.symbol) + "\n";
  }
  for (const Global& global : unit.globals) parts["variable " + name(global.symbol)] = global.hash.hex();
  for (const Initialiser& one : unit.initialisers) parts["the order of initialisers"] += name(one.function) + "\n";
  for (const Alias& alias : unit.aliases) parts["alias " + name(alias.symbol)] = name(alias.target);
  return parts;
}

}  // namespace

std::vector<std::string> differences(const Unit& made, const Unit& expected) {
  std::vector<std::string> out;
  const auto say = [&](const std::string& text) {
    if (out.size() < kSentencesMax) out.push_back(text);
  };
  const auto here = parts_of(made), there = parts_of(expected);
  for (const auto& [name, text] : there) {
    const auto found = here.find(name);
    if (found == here.end())
      say(name + " is missing");
    else if (found->second != text)
      say(name + " differs:\n" + found->second + "\nin place of\n" + text);
  }
  for (const auto& [name, text] : here)
    if (!there.contains(name)) say(name + " is too many");
  return out;
}

}  // namespace heddle::program
