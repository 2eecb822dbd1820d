// Precompiles the headers of the C++ library once for all units with the same flags. While a unit's own headers are
// edited, only the project's text is compiled again.
//
// In:      an invocation of Clang, and the headers that units include by the standard's names.
// Out:     a PCH with what it read; during a compile on it, the first objection of TextWatch.
// Cost:    one parse of the headers.
// Owns:    the PCH, in memory.
// Threads: one builds it; then several compiles read it. `last_use` belongs to the compiler's mutex, a TextWatch to one
//          compile.
// Fails:   null if the headers do not compile; the caller then compiles the unit as written, as it does after an
//          objection.
// From:    N4659 20.5.2.2, 20.5.4.3, 20.5.5.2: headers may be included in any order ([using.headers]), and each may
//          include any other ([res.on.headers]). So their order cannot matter, as long as the text neither changes them
//          nor uses what it has not included; TextWatch checks both.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem/UniqueID.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/frontend/reuse/dependencies.h"
#include "server/frontend/reuse/lookups.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Preprocessor;
class Token;
}  // namespace clang

namespace heddle::frontend {

using HeaderNames = std::set<std::string>;
using HeaderId = llvm::sys::fs::UniqueID;
using FileViewPtr = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

// The headers to precompile for an `#include <name>`: itself; for <iostream> what it includes (its own text constructs
// the streams at the unit's directive); none for <cassert> (which may be included many times) or another library.
std::vector<std::string> standard_headers_for(llvm::StringRef name);

// Records the library's headers that a text includes.
class HeaderRecorder : public clang::PPCallbacks {
 public:
  explicit HeaderRecorder(HeaderNames& names) : names_(names) {}
  void InclusionDirective(clang::SourceLocation hash, const clang::Token& token, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef search,
                          llvm::StringRef relative, const clang::Module* module, bool imported,
                          clang::SrcMgr::CharacteristicKind kind) override;

 private:
  HeaderNames& names_;
};

struct StandardHeaders {
  HeaderNames names;
  std::unique_ptr<llvm::MemoryBuffer> text;  // includes them
  std::unique_ptr<clang::CompilerInvocation> invocation;
  std::unique_ptr<clang::PrecompiledPreamble> preamble;
  std::map<std::string, Dependency> dependencies;
  Lookups lookups;
  std::map<HeaderId, std::set<HeaderId>> includes;  // by the including file
  llvm::StringSet<> identifiers;                    // all that the preprocessor met
  uint64_t last_use = 0;

  bool current(llvm::vfs::FileSystem& files, const std::vector<std::string>& added) const;
};

std::unique_ptr<StandardHeaders> precompile(const clang::CompilerInvocation& of_unit, const HeaderNames& names,
                                            const FileViewPtr& files,
                                            const std::shared_ptr<clang::PCHContainerOperations>& containers);

// Watches a text that is compiled on StandardHeaders for anything that would differ if the headers were read at its
// directives.
class TextWatch {
 public:
  explicit TextWatch(const StandardHeaders& headers) : headers_(headers) {}
  void attach(clang::CompilerInstance& instance);  // before anything is read
  void check_references(clang::ASTContext& context);
  const std::string& objection() const { return objection_; }  // empty: none

 private:
  friend class TextCallbacks;
  friend class References;
  void include(clang::SourceLocation at, HeaderId file);
  void reach(clang::SourceLocation at, HeaderId file);
  bool reached(HeaderId file) const { return reached_.contains(file); }
  bool in_precompiled(clang::SourceLocation at) const;
  bool in_library_text(clang::SourceLocation at);
  bool visible(clang::SourceLocation of, clang::SourceLocation at) const;
  std::optional<HeaderId> file_of(clang::SourceLocation at) const;
  void use_of_macro(const clang::Token& name, const clang::MacroInfo* macro);
  void change_of_macro(const clang::Token& name, const clang::MacroInfo* before);
  void token(const clang::Token& token);
  void object(std::string reason) {
    if (objection_.empty()) objection_ = std::move(reason);
  }

  const StandardHeaders& headers_;
  clang::SourceManager* sources_ = nullptr;
  std::map<HeaderId, clang::SourceLocation>
      reached_;  // files of the library, and the directive that first includes them
  std::map<clang::FileID, bool> library_texts_;
  std::string objection_;
  std::string change_;    // a change by the text that a later header of the library could notice
  int depth_ = 0;         // of brackets
  bool at_start_ = true;  // of a declaration
};

}  // namespace heddle::frontend
