// Provides units by compile command: from memory, from the disk cache, or compiled now.
//
// In:      compile commands and the contents of files (FileStates).
// Out:     per command a unit or its diagnostics, with what it depended on.
// Cost:    one stat per file for a unit whose text, headers and command are unchanged. An edit compiles the units that
//          read the edited file, except those that an edited header leaves up to date. flush() writes blobs to disk,
//          after the verdict.
// Owns:    the compiling process, and up to six versions of each file's unit; refers to cache and ledger.
// Threads: one.
// Fails:   errors in the user's code are diagnostics; a cache entry that cannot be read is compiled anew.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/v1/ledger.pb.h"
#include "server/engine/explorers/look_inside.h"
#include "server/engine/project/compile_process.h"
#include "server/engine/store/cache.h"
#include "server/engine/store/files.h"
#include "server/engine/store/ledger.h"
#include "server/frontend/frontend.h"
#include "server/frontend/support.h"

namespace heddle::engine {

struct Settings;

struct CompiledUnit {
  std::string file;
  program::UnitPtr unit;  // null: it has errors
  std::vector<frontend::Diagnostic> diagnostics;
  std::vector<frontend::Dependency> dependencies;
  std::vector<frontend::Absent> absent;
  bool missing = false;  // the main file cannot be read
  program::Hash key;     // of the command and the main text
};
using CompiledUnitPtr = std::shared_ptr<const CompiledUnit>;

class UnitStore {
 public:
  UnitStore(CacheFolder& cache, Ledger& ledger) : cache_(cache), ledger_(ledger) {}

  // Units in the order of the commands; nothing if `stop` said so, which is asked before each. `compiling` receives
  // each file that the compiler is needed for.
  std::optional<std::vector<CompiledUnitPtr>> get(const std::vector<frontend::CompileCommand>& commands,
                                                  FileStates& files,
                                                  const std::function<void(const std::string&)>& compiling,
                                                  const std::function<bool()>& stop);
  frontend::Harness harness(const frontend::HarnessOrder& order) { return compiler_.harness(order); }
  // For the time until the next get(), which ends it. `coming`: of files that may be saved next.
  void prepare(const std::vector<std::string>& edited = {}) { compiler_.prepare(edited); }
  void prepare(const std::vector<frontend::CompileCommand>& coming, FileStates& files);
  void set_compiles_at_once(uint32_t count) { compiles_at_once_ = count; }
  void use(const Settings& settings);  // what a developer looks at; whether edits are expected
  // A module of the C++ library, null if it does not compile with the user's headers.
  program::UnitPtr support(const frontend::SupportModule& module, FileStates& files,
                           const std::function<void(const std::string&)>& compiling);
  // The same unit for the same content, so that equal programs are one version.
  program::UnitPtr shared(program::UnitPtr unit);
  // The last version of the file that compiled, from this session; null if none.
  program::UnitPtr last_good(const std::string& file) const;

  v1::UnitReference reference(const program::UnitPtr& unit);
  program::UnitPtr load(const v1::UnitReference& reference);  // null: it is not in the cache
  // Writes blobs and manifests of what was compiled since the last flush. The ledger is committed by the caller.
  void flush();

 private:
  struct Version {
    program::Hash key;  // of command and main text
    CompiledUnitPtr compiled;
  };
  bool current(const CompiledUnit& unit, FileStates& files) const;
  CompiledUnitPtr stored(const frontend::CompileCommand& command, const program::Hash& key, FileStates& files);
  CompiledUnitPtr keep(const std::string& file, const program::Hash& key, frontend::CompileResult result);
  CompiledUnitPtr from_library_cache(const frontend::CompileCommand& command, const program::Hash& key,
                                     FileStates& files);
  CompiledUnitPtr from_disk(const frontend::CompileCommand& command, const program::Hash& key, FileStates& files);
  void remember(const std::string& file, const program::Hash& key, CompiledUnitPtr compiled);
  void explain(const std::string& file, const frontend::CompileResult* result) const;  // null: the unit is kept

  CacheFolder& cache_;
  Ledger& ledger_;
  CompileProcess compiler_;
  std::map<std::string, std::vector<Version>> versions_;  // by file, newest last
  std::map<std::string, program::UnitPtr> last_good_;
  std::map<program::UnitPtr, program::Hash> blob_names_;  // of the units that memory holds
  std::map<program::Hash, std::weak_ptr<const program::Unit>> loaded_;
  std::map<program::Hash, std::weak_ptr<const program::Unit>> selected_;  // parts of library modules
  std::vector<Version> unwritten_;                                        // manifests
  std::vector<std::pair<program::Hash, std::string>> unwritten_blobs_;
  uint32_t compiles_at_once_ = 1;
  const LookInside* look_ = nullptr;
};

}  // namespace heddle::engine
