// What a compile leaves for the next one of its file, and whether the next one may use it.
//
// In:      the last compile; the project's files as they are now.
// Out:     a plan: which files changed, and where bodies must be found in them if nothing else did.
// Threads: pure functions.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "server/frontend/frontend.h"
#include "server/frontend/reuse.h"

namespace heddle::frontend {

struct ReusePlan {
  std::set<std::string> changed;
  BodiesByFile bodies;               // of the changed files
  std::vector<std::string> removed;  // functions that nothing may name any more
  uint32_t main_same = 0;            // bytes of the main file, from its beginning, that are as they were
};

struct MainText {
  std::string path;  // as path_of() says
  llvm::StringRef text;
};

// Nothing: something changed that can be seen elsewhere. `precompiled` are the identifiers of what precompiles the
// beginning of the file, if anything does.
std::optional<ReusePlan> plan_reuse(const LastCompile& last, const MainText& main, llvm::vfs::FileSystem& files,
                                    const clang::LangOptions& language, const llvm::StringSet<>* precompiled);

// Null if a file changed under the compile.
std::shared_ptr<LastCompile> remember(const std::map<std::string, Dependency>& dependencies, const MainText& main,
                                      const BodiesByFile& bodies, llvm::vfs::FileSystem& files);

// What may have been made of functions that were taken over: of text that is as it was.
void add_taken_over(const ReusePlan& plan, const LastCompile& last, LastCompile& now);

// Whether the parser found what the plan supposed.
bool as_planned(const ReusePlan& plan, const LastCompile& last, const LastCompile& now);

}  // namespace heddle::frontend
