// One precompiled header of the C++ library for all units with the same flags, for a unit whose own headers are being
// edited: only the text of the project is compiled again then.
//
// The text finds the library's headers included in another order than it says. The standard allows that
// ([using.headers] any order, [res.on.headers] any header may include any other) as long as the text does nothing to
// them and takes nothing of them that it has not included; TextWatch looks after both, and a unit it objects to is
// compiled as written.
//
// In:      an invocation of Clang, the headers that units include by the standard's names.
// Out:     a PCH with what it read; during a compile on it, the first objection.
// Owns:    the PCH, in memory. Threads: one.
// Fails:   null if the headers do not compile (the caller compiles the unit as written).
// From:    N4659 20.5.2.2, 20.5.4.3, 20.5.5.2.
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

#include "server/frontend/dependencies.h"
#include "server/frontend/lookups.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Preprocessor;
class Token;
}  // namespace clang

namespace heddle::frontend {

using HeaderNames = std::set<std::string>;
using FileId = llvm::sys::fs::UniqueID;
using FileViewPtr = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

// What to precompile for an `#include <name>`: itself, for <iostream> what it needs (its own text constructs the
// streams where the unit says so), nothing for <cassert> (which may be included many times) or another library.
std::vector<std::string> standard_headers_for(llvm::StringRef name);

// Notes the library's headers that a text includes.
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
  std::unique_ptr<llvm::MemoryBuffer> text;  // that includes them
  std::unique_ptr<clang::CompilerInvocation> invocation;
  std::unique_ptr<clang::PrecompiledPreamble> preamble;
  std::map<std::string, Dependency> dependencies;
  Lookups lookups;
  std::map<FileId, std::set<FileId>> includes;  // by the including file
  llvm::StringSet<> identifiers;                // all that the preprocessor met
  uint64_t last_use = 0;

  bool current(llvm::vfs::FileSystem& files, const std::vector<std::string>& added) const;
};

std::unique_ptr<StandardHeaders> precompile(const clang::CompilerInvocation& of_unit, const HeaderNames& names,
                                            const FileViewPtr& files,
                                            const std::shared_ptr<clang::PCHContainerOperations>& containers);

// Watches a text that is compiled on StandardHeaders for what would be otherwise with the headers where it includes
// them.
class TextWatch {
 public:
  explicit TextWatch(const StandardHeaders& headers) : headers_(headers) {}
  void attach(clang::CompilerInstance& instance);  // before anything is read
  void check_references(clang::ASTContext& context);
  const std::string& objection() const { return objection_; }  // empty: none

 private:
  friend class TextCallbacks;
  friend class References;
  void include(clang::SourceLocation at, FileId file);
  void reach(clang::SourceLocation at, FileId file);
  bool reached(FileId file) const { return reached_.contains(file); }
  bool in_precompiled(clang::SourceLocation at) const;
  bool in_library_text(clang::SourceLocation at);
  bool visible(clang::SourceLocation of, clang::SourceLocation at) const;
  std::optional<FileId> file_of(clang::SourceLocation at) const;
  void use_of_macro(const clang::Token& name, const clang::MacroInfo* macro);
  void change_of_macro(const clang::Token& name, const clang::MacroInfo* before);
  void token(const clang::Token& token);
  void object(std::string reason) {
    if (objection_.empty()) objection_ = std::move(reason);
  }

  const StandardHeaders& headers_;
  clang::SourceManager* sources_ = nullptr;
  std::map<FileId, clang::SourceLocation> reached_;  // files of the library, and the directive that first includes them
  std::map<clang::FileID, bool> library_texts_;
  std::string objection_;
  std::string change_;    // what the text did that a header of the library after it could notice
  int depth_ = 0;         // of brackets
  bool at_start_ = true;  // of a declaration
};

}  // namespace heddle::frontend
