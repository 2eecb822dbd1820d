// What is taken from a library: by brute force over random call graphs, and rule by rule.
#include <gtest/gtest.h>

#include <random>

#include "server/program/hash.h"
#include "server/program/print.h"
#include "server/program/program.h"
#include "server/program/select.h"

namespace heddle::program {
namespace {

// A unit of functions; each is a name and the names it calls. "-name" is internal.
using Calls = std::vector<std::pair<std::string, std::vector<std::string>>>;

UnitPtr unit_of(const std::string& path, const Calls& calls, const std::string& initialiser = "") {
  Unit unit;
  unit.path = path;
  unit.files = {path};
  unit.places = {Place{}, Place{FileId(0), 1, 1}};
  const auto symbol = [&](const std::string& name) {
    for (uint32_t n = 0; n < unit.symbols.size(); ++n)
      if (unit.symbols[n].name == name) return SymbolId(n);
    unit.symbols.push_back({name, SymbolKind::Function, name[0] == '-', false});
    return SymbolId(static_cast<uint32_t>(unit.symbols.size() - 1));
  };
  for (const auto& [name, callees] : calls) {
    Function function;
    function.symbol = symbol(name);
    for (const std::string& callee : callees) {
      function.code.push_back({Opcode::Call, 0, 0, 0, symbol(callee).value, 0, 0});
      function.places.push_back(PlaceId(1));
    }
    function.calls.push_back({});
    function.code.push_back({Opcode::Return, 0, 0, 0, 0, 0, 0});
    function.places.push_back(PlaceId(1));
    unit.functions.push_back(function);
  }
  if (!initialiser.empty()) unit.initialisers.push_back({symbol(initialiser), 101, false});
  compute_hashes(unit);
  return std::make_shared<const Unit>(std::move(unit));
}

std::set<std::string> defined(const UnitPtr& unit) {
  std::set<std::string> names;
  if (unit)
    for (const Function& function : unit->functions) names.insert(unit->symbols[function.symbol.value].name);
  return names;
}

using Names = std::set<std::string>;

TEST(Select, TakesWhatIsReachedAndNothingElse) {
  const UnitPtr user = unit_of("/a.c", {{"main", {"f", "mine"}}, {"mine", {}}});
  const UnitPtr library = unit_of("/lib", {{"f", {"-g", "mine"}}, {"-g", {"unknown"}}, {"mine", {"h"}}, {"h", {}}});
  const UnitPtr selected = select_needed(*library, {user});
  EXPECT_EQ(defined(selected), (Names{"f", "-g"}))
      << "the program's own definition of 'mine' counts, so 'h' is not met";
  EXPECT_EQ(undefined_names({user, selected}), (Names{"unknown"}));
  EXPECT_TRUE(verify(*selected).empty());
}

TEST(Select, NothingNeededIsNoUnit) {
  EXPECT_EQ(select_needed(*unit_of("/lib", {{"f", {}}}, "f"), {unit_of("/a.c", {{"main", {}}})}), nullptr);
}

TEST(Select, InitialisersComeWithTheFirstThingTaken) {
  const UnitPtr library = unit_of("/lib", {{"f", {}}, {"-prepare", {"g"}}, {"g", {}}, {"h", {}}}, "-prepare");
  const UnitPtr selected = select_needed(*library, {unit_of("/a.c", {{"main", {"f"}}})});
  EXPECT_EQ(defined(selected), (Names{"f", "-prepare", "g"}));
  ASSERT_EQ(selected->initialisers.size(), 1u);
  EXPECT_EQ(selected->symbols[selected->initialisers[0].function.value].name, "-prepare");
}

TEST(Select, EqualNeedsGiveEqualUnits) {
  const UnitPtr library = unit_of("/lib", {{"a", {"b"}}, {"b", {}}, {"c", {}}});
  const UnitPtr one = select_needed(*library, {unit_of("/x.c", {{"main", {"a"}}})});
  const UnitPtr two = select_needed(*library, {unit_of("/y.c", {{"other", {"b", "a"}}})});
  EXPECT_EQ(one->content, two->content);
}

TEST(Select, AgreesWithReachabilityOnRandomLibraries) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const auto name = [](uint32_t n) { return "f" + std::to_string(n); };
    const uint32_t count = 2 + random() % 20;
    Calls library_calls, user_calls = {{"main", {}}};
    std::vector<std::vector<bool>> reach(count, std::vector<bool>(count, false));
    std::vector<bool> own(count, false);
    for (uint32_t n = 0; n < count; ++n) {
      own[n] = random() % 6 == 0;
      if (own[n]) user_calls.push_back({name(n), {}});
      library_calls.push_back({name(n), {}});
      for (uint32_t k = random() % 3; k > 0; --k) {
        const uint32_t to = random() % count;
        reach[n][to] = true;
        library_calls.back().second.push_back(name(to));
      }
    }
    Names expected;
    std::vector<bool> needed(count, false);
    for (uint32_t k = 1 + random() % 3; k > 0; --k) {
      needed[random() % count] = true;
    }
    for (uint32_t n = 0; n < count; ++n)
      if (needed[n]) user_calls[0].second.push_back(name(n));
    // A fixed point by brute force: what the library defines is reached through what is taken from it only.
    for (uint32_t round = 0; round < count; ++round)
      for (uint32_t n = 0; n < count; ++n)
        for (uint32_t to = 0; to < count; ++to)
          if (needed[n] && !own[n] && reach[n][to]) needed[to] = true;
    for (uint32_t n = 0; n < count; ++n)
      if (needed[n] && !own[n]) expected.insert(name(n));
    const UnitPtr user = unit_of("/a.c", user_calls);
    EXPECT_EQ(defined(select_needed(*unit_of("/lib", library_calls), {user})), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::program
