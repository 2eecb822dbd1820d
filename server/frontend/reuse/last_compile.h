// Decides which results of a file's last compile the next one may use.
//
// In:      the last compile; the project's files as they are now.
// Out:     a plan: the files that changed, and where their bodies must be if nothing else changed.
// Cost:    reads the project's files; linear in the text of those that changed.
// Owns:    nothing; values.
// Threads: pure functions of their arguments and the files.
// Fails:   plan_reuse returns nothing if other text may see a change; remember returns null if a file changed during
//          the compile.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "server/frontend/reuse/dependency.h"
#include "server/frontend/reuse/reuse.h"

namespace heddle::frontend {

struct ReusePlan {
  std::set<std::string> changed;
  BodiesByFile bodies;               // of the changed files
  std::vector<std::string> removed;  // functions that nothing may name any more
  uint32_t main_same = 0;            // unchanged bytes at the beginning of the main file
};

struct MainText {
  std::string path;  // as path_of() says
  llvm::StringRef text;
};

// Nothing: something changed that other text may see. `precompiled`: the identifiers of the file's precompiled prefix;
// null without one.
std::optional<ReusePlan> plan_reuse(const LastCompile& last, const MainText& main, llvm::vfs::FileSystem& files,
                                    const clang::LangOptions& language, const llvm::StringSet<>* precompiled);

// Null if a file changed during the compile.
std::shared_ptr<LastCompile> remember(const std::map<std::string, Dependency>& dependencies, const MainText& main,
                                      const BodiesByFile& bodies, llvm::vfs::FileSystem& files);

// Adds the ends of functions that reused code may have been emitted from: those in unchanged text.
void add_taken_over(const ReusePlan& plan, const LastCompile& last, LastCompile& now);

// True if the parser found what the plan supposed.
bool as_planned(const ReusePlan& plan, const LastCompile& last, const LastCompile& now);

}  // namespace heddle::frontend
