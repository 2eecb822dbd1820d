#include "server/engine/project/units.h"

#include <algorithm>
#include <cstdlib>

#include "server/base/compile_environment.h"
#include "server/engine/settings/settings.h"
#include "server/frontend/reuse/still_linked.h"
#include "server/program/serialise.h"

namespace heddle::engine {

namespace {

constexpr size_t kVersionsPerFile = 6;  // so that undo costs no compile
constexpr int kVariantsPerManifest = 4;

program::Hash key_of(const frontend::CompileCommand& command, const program::Hash& text) {
  program::Hasher h;
  for (const char* name : base::kCompileVariables) {
    const char* value = std::getenv(name);
    h.text(value ? value : "");
  }
  h.number(program::kUnitFormat).number(frontend::kLoweringVersion).number(build_identity());
  h.text(command.file).text(command.directory);
  h.number(command.arguments.size());
  for (const std::string& argument : command.arguments) h.text(argument);
  return h.hash(text).finish();
}

frontend::Severity severity_of(const std::string& text) {
  if (text == "note") return frontend::Severity::Note;
  return text == "warning" ? frontend::Severity::Warning : frontend::Severity::Error;
}

v1::ManifestVariant to_variant(const CompiledUnit& compiled, const program::Hash& blob) {
  v1::ManifestVariant out;
  out.set_blob(blob.hex());
  for (const frontend::Dependency& dependency : compiled.dependencies) {
    v1::DependencyRecord& d = *out.add_dependencies();
    d.set_path(dependency.path);
    d.set_content(dependency.content.hex());
    d.set_system(dependency.system);
    d.set_file(dependency.file);
  }
  for (const frontend::Absent& absent : compiled.absent) {
    v1::AbsentRecord& a = *out.add_absent();
    for (const frontend::FolderState& folder : absent.folders) {
      v1::FolderRecord& f = *a.add_folders();
      f.set_path(folder.path);
      f.set_modified_ns(folder.modified_ns);
      f.set_changed_ns(folder.changed_ns);
      f.set_inode(folder.inode);
      f.set_device(folder.device);
    }
    for (const std::string& name : absent.names) a.add_names(name);
  }
  for (const frontend::Diagnostic& diagnostic : compiled.diagnostics) {
    v1::Diagnostic& d = *out.add_diagnostics();
    d.set_severity(diagnostic.severity == frontend::Severity::Note      ? "note"
                   : diagnostic.severity == frontend::Severity::Warning ? "warning"
                                                                        : "error");
    d.set_file(diagnostic.path);
    d.set_line(diagnostic.line);
    d.set_column(diagnostic.column);
    d.set_message(diagnostic.message);
  }
  return out;
}

CompiledUnit from_variant(const v1::ManifestVariant& variant, const std::string& file) {
  CompiledUnit out;
  out.file = file;
  for (const v1::DependencyRecord& d : variant.dependencies())
    out.dependencies.push_back(
        {d.path(), program::Hash::from_hex(d.content()).value_or(program::Hash{}), d.system(), d.file()});
  for (const v1::AbsentRecord& a : variant.absent()) {
    frontend::Absent& absent = out.absent.emplace_back();
    for (const v1::FolderRecord& f : a.folders())
      absent.folders.push_back({f.path(), f.modified_ns(), f.changed_ns(), f.inode(), f.device()});
    absent.names.assign(a.names().begin(), a.names().end());
  }
  for (const v1::Diagnostic& d : variant.diagnostics())
    out.diagnostics.push_back({severity_of(d.severity()), d.file(), d.line(), d.column(), d.message()});
  return out;
}

std::vector<frontend::Overlay> overlays_with(frontend::Overlay text, const FileStates& files) {
  std::vector<frontend::Overlay> overlays;
  for (const frontend::Overlay& overlay : files.overlays())
    if (overlay.path != text.path) overlays.push_back(overlay);
  overlays.push_back(std::move(text));
  return overlays;
}

CompiledUnitPtr missing_unit(const std::string& file) {
  CompiledUnit missing;
  missing.file = file;
  missing.missing = true;
  missing.diagnostics.push_back({frontend::Severity::Error, file, 0, 0, "the file cannot be read"});
  return std::make_shared<const CompiledUnit>(std::move(missing));
}

}  // namespace

std::optional<std::vector<CompiledUnitPtr>> UnitStore::get(const std::vector<frontend::CompileCommand>& commands,
                                                           FileStates& files,
                                                           const std::function<void(const std::string&)>& compiling,
                                                           const std::function<bool()>& stop) {
  compiler_.rest();
  std::vector<CompiledUnitPtr> units;
  std::vector<frontend::CompileJob> jobs;
  std::vector<std::pair<size_t, program::Hash>> unit_of;  // of jobs: its place, its key
  for (const frontend::CompileCommand& command : commands) {
    if (stop()) return std::nullopt;
    const std::optional<program::Hash> hash = files.hash(command.file);
    units.push_back(hash ? stored(command, key_of(command, *hash), files) : missing_unit(command.file));
    if (units.back() && hash) explain(command.file, nullptr);
    if (units.back()) continue;
    std::optional<std::pair<std::string, program::Hash>> text = files.text(command.file);
    if (!text) {  // it vanished just now
      units.back() = missing_unit(command.file);
      continue;
    }
    // The compiler gets the very text that was hashed, also when the file is saved again meanwhile.
    unit_of.emplace_back(units.size() - 1, key_of(command, text->second));
    jobs.push_back({command, overlays_with({command.file, std::move(text->first)}, files)});
  }
  std::vector<std::optional<frontend::CompileResult>> results =
      compiler_.compile_all(jobs, compiles_at_once_, [&](size_t job) {
        if (stop()) return false;
        compiling(jobs[job].command.file);
        return true;
      });
  bool all = true;
  for (size_t job = 0; job < jobs.size(); ++job) {
    all = all && results[job];
    if (!results[job]) continue;
    explain(jobs[job].command.file, &*results[job]);
    const auto& [unit, key] = unit_of[job];
    units[unit] = keep(jobs[job].command.file, key, std::move(*results[job]));
  }
  if (!all) return std::nullopt;
  return units;
}

void UnitStore::prepare(const std::vector<frontend::CompileCommand>& coming, FileStates& files) {
  std::vector<frontend::CompileJob> jobs;
  for (const frontend::CompileCommand& command : coming)
    if (auto text = files.text(command.file))
      jobs.push_back({command, overlays_with({command.file, std::move(text->first)}, files)});
  compiler_.prepare({}, jobs);
}

void UnitStore::use(const Settings& settings) {
  look_ = settings.look;
  frontend::CompileOptions options = look_ ? look_->compile : frontend::CompileOptions{};
  options.expects_edits = !settings.one_command;
  compiler_.set_options(options);
}

void UnitStore::explain(const std::string& file, const frontend::CompileResult* result) const {
  if (!look_) return;
  if (look_->explain_compile)
    look_->print("== compile " + file + ": " +
                 (result ? frontend::explain(result->tiers, result->functions_taken_over)
                         : "kept: the same text and headers were compiled before\n"));
  if (result)
    for (const std::string& problem : result->problems) look_->problem(file + ": " + problem);
}

program::UnitPtr UnitStore::support(const frontend::SupportModule& module, FileStates& files,
                                    const std::function<void(const std::string&)>& compiling) {
  const program::Hash key = key_of(module.command, program::hash_bytes(module.text.text));
  // One that was lost, because the compiler took too long or was killed, has looked at no file: it is tried again.
  const CompiledUnitPtr known = stored(module.command, key, files);
  if (known && (known->unit || !known->dependencies.empty())) return known->unit;
  if (CompiledUnitPtr known = from_library_cache(module.command, key, files)) return known->unit;
  compiling(module.command.file);
  const CompiledUnitPtr compiled =
      keep(module.command.file, key, compiler_.compile(module.command, overlays_with(module.text, files)));
  compiler_.drop(module.command.file);  // it is not edited
  if (compiled->unit) {
    const std::string bytes = program::write_unit(*compiled->unit);
    const std::string facts = to_variant(*compiled, program::hash_bytes(bytes)).SerializeAsString();
    write_library_module(key, std::to_string(facts.size()) + "\n" + facts + bytes);
  }
  return compiled->unit;
}

// What another project of the user compiled with the same headers.
CompiledUnitPtr UnitStore::from_library_cache(const frontend::CompileCommand& command, const program::Hash& key,
                                              FileStates& files) {
  const std::optional<std::string> file = read_library_module(key);
  const size_t line = file ? file->find('\n') : std::string::npos;
  if (line == std::string::npos) return nullptr;
  const size_t size = std::strtoull(file->c_str(), nullptr, 10);
  v1::ManifestVariant variant;
  if (line + 1 + size > file->size() || !variant.ParseFromString(file->substr(line + 1, size))) return nullptr;
  CompiledUnit compiled = from_variant(variant, command.file);
  if (!current(compiled, files)) return nullptr;
  std::optional<program::Unit> unit = program::read_unit(file->substr(line + 1 + size));
  if (!unit) return nullptr;
  compiled.key = key;
  compiled.unit = std::make_shared<const program::Unit>(std::move(*unit));
  auto known = std::make_shared<const CompiledUnit>(std::move(compiled));
  remember(command.file, key, known);
  return known;
}

program::UnitPtr UnitStore::shared(program::UnitPtr unit) {
  std::weak_ptr<const program::Unit>& known = selected_[unit->content];
  if (program::UnitPtr same = known.lock()) return same;
  known = unit;
  return unit;
}

// From memory, else from the disk.
CompiledUnitPtr UnitStore::stored(const frontend::CompileCommand& command, const program::Hash& key,
                                  FileStates& files) {
  std::vector<Version>& versions = versions_[command.file];
  for (size_t i = versions.size(); i-- > 0;) {
    if (versions[i].key != key || !current(*versions[i].compiled, files)) continue;
    const CompiledUnitPtr found = versions[i].compiled;
    std::rotate(versions.begin() + static_cast<std::ptrdiff_t>(i),
                versions.begin() + static_cast<std::ptrdiff_t>(i) + 1, versions.end());
    if (found->unit) last_good_[command.file] = found->unit;
    return found;
  }
  CompiledUnitPtr found = from_disk(command, key, files);
  if (found) remember(command.file, key, found);
  return found;
}

CompiledUnitPtr UnitStore::keep(const std::string& file, const program::Hash& key, frontend::CompileResult result) {
  const bool lost = result.lost;
  CompiledUnit compiled{file,
                        std::move(result.unit),
                        std::move(result.diagnostics),
                        std::move(result.dependencies),
                        std::move(result.absent),
                        false,
                        key};
  auto shared = std::make_shared<const CompiledUnit>(std::move(compiled));
  // A link was made or broken meanwhile.
  const bool kept = !lost && frontend::still_linked(shared->dependencies);
  if (kept) remember(file, key, shared);
  if (!kept && shared->unit) last_good_[file] = shared->unit;
  if (kept && shared->unit) unwritten_.push_back({key, shared});
  return shared;
}

bool UnitStore::current(const CompiledUnit& compiled, FileStates& files) const {
  for (const frontend::Absent& absent : compiled.absent)
    if (!files.still_absent(absent)) return false;
  if (!frontend::still_linked(compiled.dependencies)) return false;
  return std::all_of(compiled.dependencies.begin(), compiled.dependencies.end(), [&](const frontend::Dependency& d) {
    const std::optional<program::Hash> hash = files.hash(d.path);
    return hash && *hash == d.content;
  });
}

CompiledUnitPtr UnitStore::from_disk(const frontend::CompileCommand& command, const program::Hash& key,
                                     FileStates& files) {
  const std::optional<v1::Manifest> manifest = ledger_.get<v1::Manifest>(Table::Manifest, key.hex());
  if (!manifest) return nullptr;
  for (const v1::ManifestVariant& variant : manifest->variants()) {
    CompiledUnit compiled = from_variant(variant, command.file);
    if (!current(compiled, files)) continue;
    compiled.key = key;
    v1::UnitReference reference;
    reference.set_path(command.file);
    reference.set_blob(variant.blob());
    compiled.unit = load(reference);
    if (compiled.unit) return std::make_shared<const CompiledUnit>(std::move(compiled));
  }
  return nullptr;
}

void UnitStore::remember(const std::string& file, const program::Hash& key, CompiledUnitPtr compiled) {
  if (compiled->unit) last_good_[file] = compiled->unit;
  std::vector<Version>& versions = versions_[file];
  versions.push_back({key, std::move(compiled)});
  if (versions.size() > kVersionsPerFile) versions.erase(versions.begin());
}

program::UnitPtr UnitStore::last_good(const std::string& file) const {
  const auto found = last_good_.find(file);
  return found == last_good_.end() ? nullptr : found->second;
}

v1::UnitReference UnitStore::reference(const program::UnitPtr& unit) {
  v1::UnitReference out;
  out.set_path(unit->path);
  auto [at, fresh] = blob_names_.try_emplace(unit);
  if (fresh) {
    std::string bytes = program::write_unit(*unit);
    at->second = program::hash_bytes(bytes);
    loaded_[at->second] = unit;
    unwritten_blobs_.emplace_back(at->second, std::move(bytes));
  }
  out.set_blob(at->second.hex());
  return out;
}

program::UnitPtr UnitStore::load(const v1::UnitReference& reference) {
  const std::optional<program::Hash> name = program::Hash::from_hex(reference.blob());
  if (!name) return nullptr;
  if (program::UnitPtr known = loaded_[*name].lock()) return known;
  const std::optional<std::string> bytes = cache_.read_blob(*name);
  std::optional<program::Unit> unit = bytes ? program::read_unit(*bytes) : std::nullopt;
  if (!unit) return nullptr;
  auto shared = std::make_shared<const program::Unit>(std::move(*unit));
  loaded_[*name] = shared;
  blob_names_[shared] = *name;
  return shared;
}

void UnitStore::flush() {
  for (const Version& version : unwritten_) {
    const v1::UnitReference blob = reference(version.compiled->unit);
    v1::Manifest manifest =
        ledger_.get<v1::Manifest>(Table::Manifest, version.key.hex()).value_or(v1::Manifest::default_instance());
    while (manifest.variants_size() >= kVariantsPerManifest) manifest.mutable_variants()->DeleteSubrange(0, 1);
    *manifest.add_variants() = to_variant(*version.compiled, program::Hash::from_hex(blob.blob()).value());
    ledger_.put(Table::Manifest, version.key.hex(), manifest);
  }
  unwritten_.clear();
  for (const auto& [name, bytes] : unwritten_blobs_) cache_.write_blob(name, bytes);
  unwritten_blobs_.clear();
  // Names of units that only this map still holds are of no use any more.
  std::erase_if(blob_names_, [](const auto& entry) { return entry.first.use_count() == 1; });
  std::erase_if(loaded_, [](const auto& entry) { return entry.second.expired(); });
  std::erase_if(selected_, [](const auto& entry) { return entry.second.expired(); });
}

}  // namespace heddle::engine
