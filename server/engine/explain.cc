#include "server/engine/explain.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "server/analysis/object_name.h"
#include "server/edit/lock_depth.h"
#include "server/edit/must_locksets.h"

namespace heddle::engine {

namespace {

using analysis::Facts;
using analysis::Interaction;
using analysis::InteractionKind;
using analysis::ObjectId;

constexpr int kPartnersMax = 24, kStatementsMax = 200;

bool is_memory(InteractionKind kind) { return kind <= InteractionKind::AtomicUpdate; }

bool only_reads(InteractionKind kind) { return kind == InteractionKind::Read || kind == InteractionKind::AtomicRead; }

v1::Place place_of(const Facts& facts, program::CodeAddress at) {
  const program::Program& program = *facts.program;
  v1::Place out;
  out.set_file(program.file_of(at));
  out.set_line(program.place(at).line);
  out.set_column(program.place(at).column);
  out.set_function(program.function(at.function).display_name);
  return out;
}

// Two threads can be at the two statements: roles that differ, or one with several instances.
bool in_two_threads(const Facts& facts, const Interaction& a, const Interaction& b) {
  for (const analysis::RoleId one : facts.roles_of[a.at.function.value])
    for (const analysis::RoleId two : facts.roles_of[b.at.function.value])
      if (one != two || facts.roles[one.value].multiplicity == analysis::Multiplicity::Many) return true;
  return false;
}

template <typename Add>
void add_names(const Facts& facts, const std::vector<ObjectId>& objects, Add add) {
  for (const std::string& name : analysis::project_names(facts, objects)) add(name);
}

void add_partners(const Facts& facts, const edit::MustLocksets& held, const Interaction& own, v1::Statement& out) {
  std::set<std::pair<std::string, uint32_t>> reported;
  for (const Interaction& other : facts.interactions) {
    if (out.partners_size() >= kPartnersMax) return;
    if (is_memory(own.kind) != is_memory(other.kind)) continue;
    if (is_memory(own.kind) && only_reads(own.kind) && only_reads(other.kind)) continue;
    std::vector<ObjectId> common;
    std::set_intersection(own.objects.begin(), own.objects.end(), other.objects.begin(), other.objects.end(),
                          std::back_inserter(common));
    if (common.empty() || !in_two_threads(facts, own, other)) continue;
    const v1::Place place = place_of(facts, other.at);
    if (!reported.insert({place.file(), place.line()}).second) continue;
    v1::Partner& partner = *out.add_partners();
    *partner.mutable_place() = place;
    partner.set_kind(std::string(analysis::name_of(other.kind)));
    add_names(facts, common, [&](const std::string& name) {
      if (partner.object().empty()) partner.set_object(name);
    });
    add_names(facts, held.at(other.at), [&](const std::string& name) { partner.add_locks(name); });
    for (const analysis::RoleId role : facts.roles_of[other.at.function.value])
      partner.add_roles(facts.roles[role.value].name);
  }
}

}  // namespace

v1::ExplainResponse explain(const Facts& facts, const std::string& file, uint32_t line, uint32_t end_line) {
  v1::ExplainResponse out;
  std::vector<std::pair<uint32_t, const Interaction*>> here;
  for (const Interaction& interaction : facts.interactions) {
    const uint32_t at = facts.program->place(interaction.at).line;
    if (line <= at && at <= std::max(line, end_line) && facts.program->file_of(interaction.at) == file)
      here.emplace_back(at, &interaction);
  }
  if (here.empty()) return out;
  std::stable_sort(here.begin(), here.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const edit::MustLocksets held(facts);
  const edit::LockDepth depth(facts);
  std::set<std::tuple<uint32_t, InteractionKind, std::vector<ObjectId>>> reported;
  for (const auto& [at, interaction] : here) {
    if (out.statements_size() >= kStatementsMax) break;
    if (!reported.insert({at, interaction->kind, interaction->objects}).second) continue;
    v1::Statement& statement = *out.add_statements();
    statement.set_kind(std::string(analysis::name_of(interaction->kind)));
    *statement.mutable_place() = place_of(facts, interaction->at);
    add_names(facts, interaction->objects, [&](const std::string& name) { statement.add_objects(name); });
    for (const analysis::RoleId id : facts.roles_of[interaction->at.function.value]) {
      const analysis::Role& role = facts.roles[id.value];
      v1::StatementRole& entry = *statement.add_roles();
      entry.set_name(role.name);
      entry.set_many(role.multiplicity == analysis::Multiplicity::Many);
    }
    add_names(facts, held.at(interaction->at), [&](const std::string& name) { statement.add_locks(name); });
    statement.set_no_lock(statement.locks().empty() && depth.at(interaction->at) == 0);
    add_partners(facts, held, *interaction, statement);
  }
  return out;
}

}  // namespace heddle::engine
