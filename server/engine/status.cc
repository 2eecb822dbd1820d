// What the ledger says of a project: how many defects are open, what is owed, whether all was explored.
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "server/engine/asked_about.h"
#include "server/engine/engine.h"

namespace heddle::engine {

namespace {

uint64_t memory_bytes() {
  unsigned long size = 0, resident = 0;
  if (FILE* statm = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(statm, "%lu %lu", &size, &resident) != 2) resident = 0;
    std::fclose(statm);
  }
  return uint64_t{resident} * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// As the findings are shown: what stands below another one is no defect of its own.
uint32_t open_defects(const v1::VersionRecord& version) {
  std::set<std::string> defects;
  for (const v1::Finding& finding : version.findings()) {
    if (finding.has_suppressed() || finding.older()) continue;
    const bool follows = finding.follows_from_size() > 0;
    defects.insert(!finding.group().empty() ? finding.group() : follows ? finding.follows_from(0) : finding.id());
  }
  return static_cast<uint32_t>(defects.size());
}

// Files without a database share the books of their folder.
bool is_of(const v1::Book& book, const google::protobuf::RepeatedPtrField<std::string>& lone_files) {
  const auto& units = book.last().units();
  return lone_files.empty() || units.empty() ||
         std::any_of(units.begin(), units.end(), [&](const v1::UnitReference& unit) {
           return std::find(lone_files.begin(), lone_files.end(), unit.path()) != lone_files.end();
         });
}

}  // namespace

v1::ProjectStatus Engine::status(const v1::StatusRequest& wanted) {
  v1::ProjectStatus out;
  Project* project = asked_about(wanted, projects_, current_);
  out.set_root(project ? project->description().root : wanted.root());
  out.set_phase(phase_);
  out.set_generation(running_);
  out.set_engine_pid(::getpid());
  out.set_engine_memory_bytes(memory_bytes());
  out.set_responsive(true);
  if (!project) return out;
  out.set_cache_folder(project->cache().path());
  const bool lone = project->description().database.empty();
  uint32_t open = 0, owed = 0;
  bool complete = running_ == 0;
  int64_t newest = 0;
  for (const auto& [target, book] : books(*project)) {
    if (lone && !is_of(book, wanted.project().files())) continue;
    out.add_targets(target);
    open += open_defects(book.last());
    if (book.has_debt()) owed += std::max(1u, book.debt().pairs());
    complete = complete && book.last().inconclusive().empty();
    if (book.last().checked_at_unix_ms() < newest) continue;
    newest = book.last().checked_at_unix_ms();
    out.set_last_verdict(book.last_verdict());
  }
  out.set_open_findings(open);
  out.set_pairs_owed(owed);
  out.set_complete(complete && owed == 0 && out.targets_size() > 0);
  return out;
}

}  // namespace heddle::engine
