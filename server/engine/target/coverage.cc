#include "server/engine/target/coverage.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle::engine {

namespace {

using analysis::Facts;
using program::CodeAddress;
using program::FunctionId;

using Key = std::tuple<std::string, uint32_t, uint32_t>;  // file, line, column

bool of_project(const Facts& facts, CodeAddress at) {
  const program::Function& function = facts.program->function(at.function);
  return function.in_project && !facts.roles_of[at.function.value].empty() && facts.program->place(at).line > 0;
}

Key key_of(const Facts& facts, CodeAddress at) {
  const program::Place& place = facts.program->place(at);
  return {facts.program->file_of(at), place.line, place.column};
}

// Calls of the project into library functions that have interaction statements, or call those that have.
std::vector<CodeAddress> library_calls(const Facts& facts) {
  std::set<FunctionId> acting;
  std::vector<FunctionId> work;
  const auto add = [&](FunctionId function) {
    if (!facts.program->function(function).in_project && acting.insert(function).second) work.push_back(function);
  };
  for (const analysis::Interaction& interaction : facts.interactions) add(interaction.at.function);
  std::vector<CodeAddress> calls;
  while (!work.empty()) {
    const FunctionId function = work.back();
    work.pop_back();
    for (const CodeAddress at : facts.callers_of[function.value]) {
      add(at.function);
      if (of_project(facts, at)) calls.push_back(at);
    }
  }
  return calls;
}

}  // namespace

v1::Coverage coverage_of(const Facts& facts, const std::vector<v1::JobResult>& results) {
  std::map<Key, v1::CoveredStatement> statements;
  const auto add = [&](CodeAddress at, std::string_view kind) {
    v1::CoveredStatement& statement = statements[key_of(facts, at)];
    if (!statement.kind().empty()) return;
    statement.set_kind(std::string(kind));
    v1::Place& place = *statement.mutable_place();
    place.set_file(facts.program->file_of(at));
    place.set_line(facts.program->place(at).line);
    place.set_column(facts.program->place(at).column);
    place.set_function(facts.program->function(at.function).display_name);
  };
  for (const analysis::Interaction& interaction : facts.interactions)
    if (of_project(facts, interaction.at)) add(interaction.at, analysis::name_of(interaction.kind));
  for (const CodeAddress at : library_calls(facts)) add(at, "library call");

  v1::Coverage out;
  out.set_complete(true);
  for (const v1::JobResult& result : results) {
    std::set<Key> executed;
    for (const uint64_t bits : result.executed()) {
      const CodeAddress at = CodeAddress::from_bits(bits);
      if (at.function.valid() && at.function.value < facts.program->function_count())
        executed.insert(key_of(facts, at));
    }
    for (const Key& key : executed)
      if (const auto known = statements.find(key); known != statements.end())
        known->second.set_pairs(known->second.pairs() + 1);
    if (result.completeness() != v1::JOB_COMPLETE) out.set_complete(false);
  }
  out.set_pairs(static_cast<uint32_t>(results.size()));
  for (auto& [key, statement] : statements) *out.add_statements() = std::move(statement);
  return out;
}

}  // namespace heddle::engine
