// Reuses functions of a file's last compile in the next one, in place of generating them again.
//
// In:      the last compile; the changed files; then the code generator at work.
// Out:     the unit with the reused functions, and their definitions for the next compile.
// Cost:    a look-up by name for each function that is referred to; a copy of what is reused.
// Owns:    its tables; refers to the last compile, which must outlive it.
// Threads: one per compile.
// Fails:   choose, still_right or import_functions is false, and the caller compiles without reuse. This happens if a
//          reused function refers to one that this compile lacks, or to one that may throw now and did not then (or the
//          reverse).
//          The unit is never another than from scratch.
// From:    our own method. A function is reused if nothing that it means can have changed. The files that decide about
//          it are unchanged, or changed only in bodies of other functions (bodies.h). In the main file, the text up to
//          the end of what decides about it is unchanged.
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

#include "server/frontend/reuse/bodies.h"
#include "server/frontend/reuse/dependencies.h"
#include "server/frontend/reuse/lookups.h"
#include "server/frontend/reuse/macros.h"
#include "server/program/unit.h"

namespace heddle::frontend {

struct Definition {  // of a function or variable of a unit
  bool function = false;
  bool discardable = false;  // made only where something refers to it
  bool lasting = false;      // may be reused while its files are unchanged
  bool does_not_throw = false;
  bool written = false;                 // not made by Clang itself: the code generator knows it by name
  bool quiet = true;                    // instantiates no text of the project, in which the compiler could find errors
  std::vector<std::string> references;  // link names; through constants without a name of their own
  std::vector<std::string> files;       // of the project, that decide about it
  uint32_t main_end = 0;                // if the main file is one of them: where the text that decides ends
  bool lambdas = false;                 // it contains lambdas to be numbered
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
  std::map<std::string, ProjectText> texts;         // of the project's files
  std::map<std::string, program::Hash> libraries;   // of the files of others that were read
  llvm::StringSet<> identifiers;                    // met outside precompiled headers
  std::shared_ptr<const llvm::StringSet<>> before;  // and in the extended preamble, if it was compiled on one

  Ends emitted_from;  // of functions of the project that code was emitted from
  Macros macros;      // of the project
  Stamps stamps;      // of the files of others
  std::vector<Diagnostic> diagnostics;
  std::vector<Dependency> dependencies;
  Lookups lookups;

  bool names(const std::string& name) const { return identifiers.contains(name) || (before && before->contains(name)); }
};

// Called before any pass, while the code generator still knows the declarations.
Definitions definitions_of(clang::CodeGenerator& generator, clang::ASTContext& context, const llvm::Module& module);

// Called once all definitions of a unit are known. A definition that cannot be reused, nor requested when its file
// changes, passes its files on to the definitions that refer to it.
void settle(Definitions& definitions);

// Drops what Clang emitted for references that are gone, so that a unit has the same parts however it was made.
void drop_unreached(llvm::Module& module, Definitions& made);

class Reuse {
 public:
  // `main_same`: unchanged bytes at the beginning of the main file.
  Reuse(const LastCompile& last, std::set<std::string> changed_files, uint32_t main_same);

  // True if the code generator may skip this externally visible function. Called in the order of the text.
  bool keep(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

  // During the parse: true if the function need not be instantiated either.
  bool suppress_instantiation(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

  // Around the end of the unit, after the parse, while code is generated for functions that are referred to.
  void begin(clang::CodeGenerator& generator, clang::ASTContext& context);
  void end() { generator_ = nullptr; }

  // Before any pass: chooses what to reuse for the module. False: something is missing.
  bool choose(llvm::Module& module, Definitions& made);
  // After the passes. False: a function may throw now and could not then, or the reverse.
  bool still_right(const llvm::Module& module) const;
  // Adds what is reused to the unit, which has no hashes yet, and to the definitions. False: something is missing.
  bool import_functions(program::Unit& unit, Definitions& made) const;
  size_t taken() const { return taken_.size(); }

 private:
  class Source;
  bool unchanged(const Definition& definition) const;
  const Definition* reusable(const std::string& name) const;
  void find_whole();
  bool is_whole(const std::string& name) const { return reusable(name) != nullptr && !partial_.contains(name); }
  bool suppress_emission(const clang::FunctionDecl& function);
  template <typename May>
  bool known(const std::vector<std::string>& variants, May&& may) const;  // and all that are known may be reused
  void note_withheld(const std::vector<std::string>& variants);
  void ask_for(const std::string& name);

  const LastCompile& last_;
  std::set<std::string> changed_;
  const uint32_t main_same_;
  std::set<std::string> kept_;     // externally visible functions
  std::set<std::string> partial_;  // definitions that refer, perhaps indirectly, to one that must be emitted again
  clang::CodeGenerator* generator_ = nullptr;  // between begin() and end()
  clang::ASTContext* context_ = nullptr;
  llvm::DenseMap<const clang::Decl*, bool> withheld_;
  std::unordered_map<std::string, std::string> same_as_;  // complete constructors and destructors -> the base's
  llvm::StringSet<> withheld_names_;
  std::set<std::string> taken_;
  std::map<std::string, bool> throws_as_;  // functions of this compile that reused ones call -> did not throw before
};

}  // namespace heddle::frontend
