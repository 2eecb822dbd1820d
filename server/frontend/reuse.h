// Functions of a file's last compile that the next one takes over instead of generating them again.
//
// In:      what the last compile left; the project's files as they are now; then the code generator at work.
// Out:     the unit with what was taken over; what this compile leaves for the next.
// Cost:    a lookup by name for each function that is referred to; a copy of what is taken over.
// Owns:    copies. Threads: one at a time per file.
// Fails:   when what was taken over refers to something that this compile did not make, or that may throw now and did
//          not then (or the other way round): the caller compiles without. Never a unit that is another one than from
//          scratch.
// From:    ours. A function is taken over if nothing that it means can have changed: the files that it is
//          written in are as they were, local types that it is made for too, and of the others nothing but bodies of
//          functions (bodies.h). Of the file itself the text up to what decides about it is enough.
#pragma once

#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Sema/MultiplexExternalSemaSource.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/bodies.h"
#include "server/frontend/dependencies.h"
#include "server/frontend/lookups.h"
#include "server/frontend/macros.h"
#include "server/program/unit.h"

namespace heddle::frontend {

struct Definition {  // of a function or variable of a unit
  bool function = false;
  bool discardable = false;  // made only where something refers to it
  bool lasting = false;      // may be taken over as long as its files are as they were
  bool does_not_throw = false;
  bool written = false;  // not made by Clang of itself: the code generator knows it by name
  bool quiet = true;     // no text of the project is instantiated for it, which the compiler could object to
  std::vector<std::string> references;  // link names; through constants without a name of their own
  std::vector<std::string> files;       // of the project, that decide about it
  uint32_t main_end = 0;                // if the file itself is one of them: where the text ends that does
  bool lambdas = false;                 // there are some in it to be numbered
};
using Definitions = std::unordered_map<std::string, std::shared_ptr<Definition>>;  // by link name

struct ProjectText {
  std::string text;
  std::vector<Body> bodies;
};

struct LastCompile {
  program::UnitPtr unit;
  std::string main_path;
  Definitions definitions;
  std::map<std::string, ProjectText> texts;        // of the project's files
  std::map<std::string, program::Hash> libraries;  // of the files of others that were read
  llvm::StringSet<> identifiers;                   // met outside precompiled headers
  std::shared_ptr<const llvm::StringSet<>> before;  // and in the extended preamble, if it was compiled on one

  Ends made_of;                                     // of functions of the project
  Macros macros;                                    // of the project
  Stamps stamps;                                    // of the files of others
  std::vector<Diagnostic> diagnostics;
  std::vector<Dependency> dependencies;
  Lookups lookups;

  bool names(const std::string& name) const {
    return identifiers.contains(name) || (before && before->contains(name));
  }
};

// Before any pass, while the code generator still knows the declarations.
Definitions definitions_of(clang::CodeGenerator& generator, clang::ASTContext& context, const llvm::Module& module);

// Once all definitions of a unit are together: what cannot be taken over, or asked for when its file changes, decides
// about what refers to it.
void settle(Definitions& definitions);

// What Clang made for a reference that it then had no use for. So a unit has the same parts however it came about.
void drop_unreached(llvm::Module& module, Definitions& made);

class Reuse {
 public:
  // `main_same`: bytes of the file itself, from its beginning, that are as they were.
  Reuse(const LastCompile& last, std::set<std::string> changed_files, uint32_t main_same);

  // Of functions handed over in the order of the text, whether one need not be generated that others can see.
  bool keep(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

  // While the parser is at work: whether a function need not be instantiated either.
  bool leave_out(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

  // Around the end of the unit, when the parser is done and code is generated for what is referred to.
  void begin(clang::CodeGenerator& generator, clang::ASTContext& context);
  void end() { generator_ = nullptr; }

  // On the module before any pass: what is to be taken over. False: something is missing.
  bool choose(llvm::Module& module, Definitions& made);
  // After the passes.
  bool still_right(const llvm::Module& module) const;
  // Into the unit without its hashes; and what was taken over into the definitions. False: something is missing.
  bool take_over(program::Unit& unit, Definitions& made) const;
  size_t taken() const { return taken_.size(); }

 private:
  class Source;
  bool unchanged(const Definition& definition) const;
  const Definition* reusable(const std::string& name) const;
  void find_whole();
  bool is_whole(const std::string& name) const { return reusable(name) != nullptr && !partial_.contains(name); }
  bool withhold(const clang::FunctionDecl& function);
  template <typename May>
  bool known(const std::vector<std::string>& variants, May&& may) const;  // and all that are known may be taken over
  void note_withheld(const std::vector<std::string>& variants);
  void ask_for(const std::string& name);

  const LastCompile& last_;
  std::set<std::string> changed_;
  const uint32_t main_same_;
  std::set<std::string> kept_;     // functions that others can see
  std::set<std::string> partial_;  // what refers, at some remove, to something that must be made or said again
  clang::CodeGenerator* generator_ = nullptr;  // between begin() and end()
  clang::ASTContext* context_ = nullptr;
  llvm::DenseMap<const clang::Decl*, bool> withheld_;
  std::unordered_map<std::string, std::string> same_as_;  // complete constructors and destructors that are the base's
  llvm::StringSet<> withheld_names_;
  std::set<std::string> taken_;
  std::map<std::string, bool> throws_as_;  // what this compile made and something taken over calls: as it was
};

}  // namespace heddle::frontend
