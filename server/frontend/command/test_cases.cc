#include "server/frontend/command/test_cases.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "server/frontend/command/case_registrations.h"
#include "server/library/link_names.h"
#include "server/program/hash.h"
#include "server/program/identity_hash.h"
#include "server/program/select.h"

namespace heddle::frontend {
namespace {

using program::Opcode;
using program::SymbolId;
using program::UnitPtr;

constexpr std::string_view kCase = "heddle.case:";
constexpr std::string_view kBoostCase = "heddle_boost_case";
constexpr std::string_view kBoostTypes = "_heddle_types";  // ends the class of a case that runs with several types
constexpr std::string_view kDriver = "heddle_driver_";     // what `heddle harness` writes: CLASS__WHAT
// Followed by a line: what a macro makes in the place of a name.
constexpr std::string_view kNumbered[] = {"heddle_case_", "heddle_entry_"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "_ZN5suite4name17heddle_boost_caseEv" -> "suite/name". Empty: no case.
std::string boost_name(std::string_view link_name) {
  if (!link_name.starts_with("_ZN") || !link_name.ends_with(std::string(kBoostCase) + "Ev")) return "";
  std::string name;
  for (size_t at = 3; at < link_name.size() && is_digit(link_name[at]);) {
    size_t length = 0;
    while (at < link_name.size() && is_digit(link_name[at]))
      length = length * 10 + static_cast<size_t>(link_name[at++] - '0');
    std::string_view part = link_name.substr(at, length);
    at += length;
    if (part == kBoostCase) return name;
    if (part.ends_with(kBoostTypes)) part.remove_suffix(kBoostTypes.size());
    if (!part.starts_with("_GLOBAL_")) name += (name.empty() ? "" : "/") + std::string(part);
  }
  return "";
}

// "heddle_driver_Queue__push_with_pop" -> "Queue.push_with_pop". Empty: no driver.
std::string driver_name(std::string_view link_name) {
  if (!link_name.starts_with(kDriver)) return "";
  std::string name(link_name.substr(kDriver.size()));
  if (const size_t at = name.find("__"); at != std::string::npos) name.replace(at, 2, ".");
  return name;
}

// doctest's macro gives the text of what stands for the name: '="a" " name" * skip()' -> "a name" and "* skip()".
std::pair<std::string, std::string> name_and_decorators(std::string_view text) {
  if (!text.starts_with("=\"")) return {std::string(text), ""};
  std::string name;
  size_t at = 1;
  while (at < text.size() && text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      name += text[at];
    }
    at = std::min(text.find_first_not_of(' ', at + 1), text.size());
  }
  return {name, std::string(text.substr(at))};
}

bool is_skipped(std::string_view decorators) {
  return decorators.find("skip()") != std::string_view::npos || decorators.find("skip(true)") != std::string_view::npos;
}

bool is_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.find(".DISABLED_") != std::string_view::npos;
}

bool starts_threads(const std::set<std::string>& outside) {
  return std::any_of(outside.begin(), outside.end(), [](const std::string& name) {
    return name == "pthread_create" || name == "thrd_create" || name == "timer_create" || name == "fork" ||
           library::starts_std_thread(name);
  });
}

// Without the lines in the names of a case's functions: a line that is added above changes no name.
void drop_lines(std::string& name, std::string_view instead) {
  for (const std::string_view prefix : kNumbered) {
    for (size_t at = name.find(prefix); at != std::string::npos; at = name.find(prefix, at)) {
      size_t end = at + prefix.size();
      while (end < name.size() && is_digit(name[end])) ++end;
      if (at >= 2 && is_digit(name[at - 1]) && is_digit(name[at - 2])) at -= 2;  // the length, in a link name
      name.replace(at, end - at, instead);
      at += instead.size();
    }
  }
}

// The name of a type is spelled in memory, too.
void drop_lines_of_type(program::Global& global, std::string_view instead) {
  const uint64_t zeros = global.size - global.initialiser.size();
  std::string text(global.initialiser.begin(), global.initialiser.end());
  drop_lines(text, instead);
  global.initialiser.assign(text.begin(), text.end());
  global.size = text.size() + zeros;
}

// In the place of a line in link names: findings of two cases of one file are two. No text that the case's name is may
// look like a line or a folder (detect::identity).
std::string body_of(const TestCase& one) {
  return "heddle.body." + program::IdentityHasher().text(one.name).finish().hex().substr(0, 12);
}

// "Queue_Empties_heddle_case" is what GoogleTest's macros make of "Queue.Empties".
void show_case(std::string& name, const TestCase& one) {
  constexpr std::string_view kMade = "_heddle_case";
  const size_t end = name.find(kMade);
  if (end == std::string::npos) return;
  if (name.ends_with(kMade)) {  // with its namespaces
    name = one.name;
    return;
  }
  size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(name[begin - 1])) || name[begin - 1] == '_')) --begin;
  name.replace(begin, end + kMade.size() - begin, one.name);
}

void name_case(program::Unit& unit, const TestCase& one) {
  const std::string body = body_of(one);
  for (program::Symbol& symbol : unit.symbols) {
    drop_lines(symbol.name, body);
    if (symbol.name == one.link_name) symbol.internal = false;  // of a case in a namespace without a name
  }
  for (program::Function& function : unit.functions) {
    drop_lines(function.display_name, one.name);
    show_case(function.display_name, one);
    const bool is_case = unit.symbols[function.symbol.value].name == one.link_name;
    if (is_case && function.display_name.ends_with(kBoostCase)) function.display_name = one.name;
  }
  for (program::Global& global : unit.globals) {
    drop_lines(global.display_name, one.name);
    if (unit.symbols[global.symbol.value].name.starts_with(library::kTypeInfoName)) drop_lines_of_type(global, body);
  }
  for (program::Type& type : unit.types) drop_lines(type.name, one.name);
}

program::Function caller(SymbolId name, std::optional<SymbolId> callee, std::string shown, bool gives_zero) {
  program::Function made;
  made.symbol = name;
  made.display_name = std::move(shown);
  made.in_project = false;
  made.frame_slots = 1;
  made.result_slots = gives_zero ? 1 : 0;
  if (callee) {
    made.calls.emplace_back();
    made.code.push_back({.op = Opcode::Call, .a = callee->value});
  }
  if (gives_zero) made.code.push_back({.op = Opcode::Const, .width = 64});
  made.code.push_back({.op = Opcode::Return, .b = gives_zero ? 1u : 0u});
  made.places.assign(made.code.size(), program::PlaceId(0));
  return made;
}

// Defines heddle.run_case, and main() where the program has none.
UnitPtr runner(const std::string& link_name, bool with_main) {
  program::Unit unit;
  unit.path = std::string(program::kLibraryFolder) + "test_case.cc";
  unit.places.emplace_back();
  unit.symbols.push_back({.name = kRunCase});
  std::optional<SymbolId> called;
  if (!link_name.empty()) {
    called = SymbolId(1);
    unit.symbols.push_back({.name = link_name});
  }
  unit.functions.push_back(caller(SymbolId(0), called, "the test case", false));
  if (with_main) {
    const SymbolId main(static_cast<uint32_t>(unit.symbols.size()));
    unit.symbols.push_back({.name = "main"});
    unit.functions.push_back(caller(main, SymbolId(0), "main", true));
  }
  program::compute_hashes(unit);
  return std::make_shared<const program::Unit>(std::move(unit));
}

bool has_main(const std::vector<UnitPtr>& units) {
  return std::any_of(units.begin(), units.end(), [](const UnitPtr& unit) {
    return std::any_of(unit->functions.begin(), unit->functions.end(), [&](const program::Function& function) {
      const program::Symbol& symbol = unit->symbols[function.symbol.value];
      return symbol.name == "main" && !symbol.internal;
    });
  });
}

// Without the units of which nothing runs.
void add_parts(std::vector<program::Unit> parts, Target& to) {
  for (program::Unit& part : parts) {
    if (part.functions.empty() && part.globals.empty()) continue;
    program::compute_hashes(part);
    to.units.push_back(std::make_shared<const program::Unit>(std::move(part)));
  }
}

// Nothing: the case starts no thread.
std::optional<Target> program_of(const Target& program, const TestCase& one, bool with_main) {
  std::set<std::string> outside;
  std::vector<program::Unit> parts = program::select_reached(program.units, {one.link_name}, outside);
  if (!starts_threads(outside)) return std::nullopt;
  Target made;
  made.name = program.name + ":" + one.name;
  made.build_name = program.build_name;
  made.also_named = program.also_named;
  made.program = program.name;
  made.test_case = one.name;
  made.notes = program.notes;
  made.left_out = program.left_out;
  for (program::Unit& part : parts) name_case(part, one);
  add_parts(std::move(parts), made);
  made.units.push_back(runner(one.link_name, with_main));
  return made;
}

// What runs of a program without a main of its own if no case does: static constructors. Units of which nothing runs
// stay, because a check may name their files.
std::vector<UnitPtr> units_without_cases(const Target& program) {
  std::set<std::string> outside;
  std::vector<UnitPtr> units;
  for (program::Unit& part : program::select_reached(program.units, {}, outside)) {
    program::compute_hashes(part);
    units.push_back(std::make_shared<const program::Unit>(std::move(part)));
  }
  return units;
}

// The file's cases run in no program of this kind: they are registered with the framework's own code, which is not run.
// Nothing: they cannot start a thread.
std::optional<Target> program_of_file(const Target& program, size_t file) {
  const UnitPtr& unit = program.units[file];
  std::vector<UnitPtr> units;
  for (const UnitPtr& other : program.units) units.push_back(other == unit ? unit : without_registrations(other));
  std::set<std::string> outside;
  std::vector<program::Unit> parts = program::select_reached(units, {}, outside);
  if (!starts_threads(outside)) return std::nullopt;
  Target made = program;
  made.units.clear();
  add_parts(std::move(parts), made);
  made.name = program.name + ":" + std::filesystem::path(unit->path).filename().string();
  made.program = program.name;
  made.units.push_back(runner("", !has_main(made.units)));
  return made;
}

// Programs of files whose cases have no model, and what is said of the others.
void add_files_without_model(const Target& program, std::vector<Target>& made, std::vector<std::string>& notes) {
  for (size_t n = 0; n < program.units.size(); ++n) {
    if (!registers_cases(*program.units[n])) continue;
    if (std::optional<Target> target = program_of_file(program, n))
      made.push_back(std::move(*target));
    else
      notes.push_back("the test cases of " + std::filesystem::path(program.units[n]->path).filename().string() +
                      " cannot start a thread and did not run");
  }
}

std::vector<Target> programs_of(const Target& whole, const std::vector<TestCase>& cases) {
  Target program = whole;
  for (UnitPtr& unit : program.units) unit = without_registrations(unit);
  std::vector<Target> made;
  const bool with_main = !has_main(program.units);
  std::vector<std::string> not_run;
  for (const TestCase& one : cases)
    if (std::optional<Target> target = program_of(program, one, with_main))
      made.push_back(std::move(*target));
    else
      not_run.push_back(one.name);
  for (Target& target : made) target.cases_not_run = not_run;
  const size_t others = cases.size() - made.size();
  const std::string number = std::to_string(others) + " test case" + (others == 1 ? "" : "s") + " of " + program.name;
  std::vector<std::string> notes;
  add_files_without_model(whole, made, notes);
  if (others > 0 && !made.empty()) notes.push_back(number + " cannot start a thread and did not run");
  for (Target& target : made) target.notes.insert(target.notes.end(), notes.begin(), notes.end());
  if (!made.empty()) return made;
  if (with_main) program.units = units_without_cases(program);
  program.notes.push_back(number + " cannot start a thread: none of them ran");
  program.notes.insert(program.notes.end(), notes.begin(), notes.end());
  program.cases_without_threads = true;
  program.cases_not_run = not_run;
  program.units.push_back(runner("", with_main));
  return {program};
}

}  // namespace

std::vector<TestCase> test_cases(const program::Unit& unit) {
  std::vector<TestCase> cases;
  for (const program::Function& function : unit.functions) {
    const std::string& link_name = unit.symbols[function.symbol.value].name;
    std::string name = boost_name(link_name), decorators;
    if (link_name.starts_with(kCase)) std::tie(name, decorators) = name_and_decorators(link_name.substr(kCase.size()));
    if (name.empty()) name = driver_name(link_name);
    if (!name.empty() && !is_disabled(name) && !is_skipped(decorators)) cases.push_back({name, link_name});
  }
  return cases;
}

void CaseTargets::replace_programs(TargetSet& set) {
  std::vector<Target> targets;
  for (Target& program : set.targets) {
    std::vector<TestCase> cases;
    for (const UnitPtr& unit : program.units)
      for (TestCase& one : test_cases(*unit)) cases.push_back(std::move(one));
    if (cases.empty()) {
      targets.push_back(std::move(program));
      continue;
    }
    Known& known = known_[program.name];
    if (known.from != program.units) known = {program.units, programs_of(program, cases)};
    targets.insert(targets.end(), known.made.begin(), known.made.end());
  }
  set.targets = std::move(targets);
}

}  // namespace heddle::frontend
