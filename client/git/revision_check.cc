#include "client/git/revision_check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "client/report/suppression_text.h"
#include "server/disk/file_kind.h"
#include "server/disk/project_place.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

bool is_header(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension.starts_with(".h") || extension == ".inc" || extension == ".inl" || extension == ".def";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What CMake compiles to find out about the compiler: of no program, and not the user's.
bool is_of_cmake(const std::string& path) {
  const size_t at = ("/" + path).find("/CMakeFiles/");
  if (at == std::string::npos) return false;
  for (const char* name : {"/CompilerId", "/CMakeTmp/", "/CMakeScratch/", "feature_tests."})
    if (path.find(name, at) != std::string::npos) return true;
  return false;
}

// What the requests of a revision have in common, and the projects that they go to.
struct Collected {
  v1::CheckRequest texts;
  std::map<std::string, std::vector<std::string>> projects;  // root, or a file of its own
  std::map<std::string, std::string> roots;
};

void add_overlay(v1::CheckRequest& request, const std::string& path, const std::string& text) {
  v1::Overlay& overlay = *request.add_overlays();
  overlay.set_path(path);
  overlay.set_text(text);
}

void add_project(const GitTree& git, const RevisionRequest& wanted, const std::string& path, bool alone,
                 Collected& collected) {
  const disk::ProjectPlace place = disk::find_project_place({path}, wanted.database_directory, git.top(), false);
  if (place.lone_file && !alone) return;
  const std::string name = place.lone_file ? path : place.root;
  collected.projects[name].push_back(path);
  collected.roots[name] = place.root;
}

// A changed file that is part of programs: its text in the base, and the project that it belongs to.
void collect(const GitTree& git, const RevisionRequest& wanted, const GitTree::Change& change, Collected& collected,
             RevisionChecks& out) {
  const bool family = disk::is_c_family(change.path);
  if (family) ++out.files_changed;
  const std::string path = disk::utf8_name(git.top() + "/" + change.path);
  // What cannot be said by its own name goes along as a text.
  if (!disk::is_utf8(change.path) && change.status != 'D') {
    const auto text = wanted.tree.empty() ? std::optional(read_file(git.top() + "/" + change.path))
                                          : git.text(wanted.tree, change.path);
    add_overlay(collected.texts, path, text.value_or(""));
  }
  if (change.status == 'A') {
    collected.texts.mutable_base_texts()->add_absent(path);
  } else if (const auto text = git.text(wanted.base, change.path)) {
    v1::Overlay& overlay = *collected.texts.mutable_base_texts()->add_files();
    overlay.set_path(path);
    overlay.set_text(*text);
  }
  const disk::ProjectPlace place = disk::find_project_place({path}, wanted.database_directory, git.top(), false);
  if (place.lone_file && (is_header(path) || change.status == 'D')) {
    if (family) out.left_out.push_back(disk::utf8_name(change.path));
    return;
  }
  add_project(git, wanted, path, /*alone=*/family, collected);
}

// A changed file that decides how programs are built: nothing of the base can be compared with then.
void collect_build(const GitTree& git, const RevisionRequest& wanted, const GitTree::Change& change,
                   Collected& collected) {
  const std::string path = disk::utf8_name(git.top() + "/" + change.path);
  collected.texts.mutable_base_texts()->add_build(path);
  add_project(git, wanted, path, /*alone=*/false, collected);
}

// The last parts of the names of other changed files that sources may include.
std::set<std::string> included_names(const GitTree& git, const RevisionRequest& wanted,
                                     const std::vector<GitTree::Change>& changes) {
  std::set<std::string> names;
  for (const GitTree::Change& change : changes)
    if (!disk::is_c_family(change.path) && !disk::describes_build(change.path) && !change.leads_elsewhere)
      names.insert(std::filesystem::path(change.path).filename().string());
  std::set<std::string> included = git.included_in_sources(wanted.tree, names);
  if (!wanted.base.empty()) included.merge(git.included_in_sources(wanted.base, names));
  return included;
}

void add_absent(const std::string& path, v1::CheckRequest& request) {
  v1::Overlay& overlay = *request.add_overlays();
  overlay.set_path(path);
  overlay.set_absent(true);
}

// Whether the compile database or a settings file names it, such as a response file.
bool named_by_build(const GitTree& git, const RevisionRequest& wanted, const GitTree::Change& change) {
  const std::string path = git.top() + "/" + change.path;
  const disk::ProjectPlace place = disk::find_project_place({path}, wanted.database_directory, git.top(), false);
  const std::string name = std::filesystem::path(change.path).filename().string();
  for (const std::string& file :
       {place.database, place.flags_file, place.root + "/.heddle.yaml", place.root + "/.clangd"})
    if (!file.empty() && read_file(file).find(name) != std::string::npos) return true;
  return false;
}

// Where the tree differs from the disk, its text goes along, and what it lacks is absent.
std::optional<Failure> add_texts_of_tree(const GitTree& git, const RevisionRequest& wanted,
                                         const std::set<std::string>& included, v1::CheckRequest& texts,
                                         RevisionChecks& out) {
  const auto differs = git.changes(wanted.tree, "");
  if (const auto* failure = std::get_if<Failure>(&differs)) return *failure;
  for (const GitTree::Change& change : std::get<0>(differs)) {
    const bool part =
        disk::is_c_family(change.path) || included.contains(std::filesystem::path(change.path).filename().string());
    if (!part || change.leads_elsewhere || !disk::is_utf8(change.path)) continue;
    const std::string path = git.top() + "/" + change.path;
    if (change.status == 'A') {  // it is on the disk only
      add_absent(path, texts);
      continue;
    }
    auto text = git.text(wanted.tree, change.path);
    if (!text) continue;
    if (wanted.disk_suppressions && change.status != 'D') {
      std::string with = with_suppressions_of(read_file(path), *text, git.lines(wanted.tree, change.path));
      if (with != *text) out.suppressed_on_disk.push_back(change.path);
      text = std::move(with);
    }
    add_overlay(texts, path, *text);
  }
  for (const std::string& name : git.untracked_sources())
    if (disk::is_utf8(name)) add_absent(git.top() + "/" + name, texts);
  return std::nullopt;
}

}  // namespace

std::variant<RevisionChecks, Failure> make_revision_checks(const GitTree& git, const RevisionRequest& wanted) {
  const auto changed = git.changes(wanted.base, wanted.tree);
  if (const auto* failure = std::get_if<Failure>(&changed)) return *failure;
  RevisionChecks out;
  Collected collected;
  const std::vector<GitTree::Change>& changes = std::get<0>(changed);
  const std::set<std::string> included = included_names(git, wanted, changes);
  for (const GitTree::Change& change : changes) {
    if (is_of_cmake(change.path)) continue;
    if (change.leads_elsewhere || disk::describes_build(change.path))
      collect_build(git, wanted, change, collected);
    else if (disk::is_c_family(change.path) ||
             included.contains(std::filesystem::path(change.path).filename().string()))
      collect(git, wanted, change, collected, out);
    else if (named_by_build(git, wanted, change))
      collect_build(git, wanted, change, collected);
  }
  collected.texts.mutable_base_texts()->set_name(wanted.base_name);
  if (!wanted.tree.empty())
    if (auto failure = add_texts_of_tree(git, wanted, included, collected.texts, out)) return *failure;
  for (const auto& [name, files] : collected.projects) {
    v1::CheckRequest request = collected.texts;
    request.set_root(collected.roots[name]);
    request.set_database_directory(wanted.database_directory);
    for (const std::string& file : files) request.add_files(file);
    out.requests.push_back(std::move(request));
  }
  return out;
}

}  // namespace heddle::client
