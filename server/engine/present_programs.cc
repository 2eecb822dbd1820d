#include "server/engine/present_programs.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "server/disk/utf8_name.h"
#include "server/engine/target/target_check.h"

namespace heddle::engine {

namespace {

const std::string kRow = "programs";

// Without a database each file has programs of its own.
std::string row_of(const std::string& lone_file) { return kRow + "\n" + lone_file; }

bool exists(const std::string& path) {  // as the ledger names it
  std::error_code error;
  return std::filesystem::exists(disk::file_of_name(path), error) || error;  // what cannot be looked at may be there
}

bool lists(const v1::Programs& programs, const std::string& name) {
  return std::find(programs.names().begin(), programs.names().end(), name) != programs.names().end();
}

void put(Ledger& ledger, const std::string& key, const v1::Programs& programs) {
  const auto known = ledger.get<v1::Programs>(Table::Meta, key);
  if (!known || known->SerializeAsString() != programs.SerializeAsString()) ledger.put(Table::Meta, key, programs);
}

bool has_command(const frontend::Project& description, const std::string& file) {
  return std::any_of(description.commands.begin(), description.commands.end(),
                     [&](const frontend::CompileCommand& command) { return command.file == file; });
}

bool is_in_database(Project& project, const std::string& name, const std::string& main_file) {
  const frontend::Project& description = project.description();
  if (!exists(description.database) || (!main_file.empty() && !has_command(description, main_file))) return false;
  const auto row = project.ledger().get<v1::Programs>(Table::Meta, kRow);
  return !row || lists(*row, name);
}

// Several lone files may have been checked together as one program.
bool is_of_lone_files(Project& project, const std::string& name, const v1::VersionRecord& last) {
  bool any = false;
  for (const v1::UnitReference& unit : last.units()) {
    const auto row = project.ledger().get<v1::Programs>(Table::Meta, row_of(unit.path()));
    if (row && lists(*row, name)) return true;
    any = any || row;
  }
  return !any && !project.ledger().get<v1::Programs>(Table::Meta, kRow);
}

}  // namespace

bool knows_its_programs(const Loaded& loaded) { return !loaded.interrupted && loaded.unknown_failed.empty(); }

void remember_programs(Project& project, const Loaded& loaded) {
  if (!knows_its_programs(loaded)) return;
  v1::Programs programs;
  for (const frontend::Target& target : loaded.targets.targets)
    programs.add_names(lasting_name(target.name, *project.versions().get(target.units)));
  std::sort(programs.mutable_names()->begin(), programs.mutable_names()->end());
  if (!project.description().database.empty()) return put(project.ledger(), kRow, programs);
  for (const frontend::CompileCommand& command : project.description().commands)
    put(project.ledger(), row_of(command.file), programs);
}

bool is_there(Project& project, const std::string& name, const v1::Book& book) {
  const v1::VersionRecord& last = book.last();
  const std::string main_file = last.units().empty() ? "" : last.units(0).path();
  if (!main_file.empty() && !exists(main_file)) return false;
  if (!project.description().database.empty()) return is_in_database(project, name, main_file);
  return is_of_lone_files(project, name, last);
}

}  // namespace heddle::engine
