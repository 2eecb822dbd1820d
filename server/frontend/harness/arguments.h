// Makes values for parameters: small constants, and objects by their constructors.
//
// In:      a parameter's type; which of several different values is wanted.
// Out:     an expression, members of the scene that it refers to; or why there is none.
// Cost:    a few constructors a level, three levels deep.
// Owns:    nothing; refers to the AST.
// Threads: the thread that parses.
// Fails:   `problem` names the type and what it lacks.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <string>
#include <vector>

namespace heddle::frontend::harness {

struct Argument {
  std::string expression;
  std::vector<std::string> members;
  std::string out;  // an expression for what the call may have stored there; empty: nothing
  bool takes_other = false;
  std::string problem;
};

class Arguments {
 public:
  // `subject`: null, or the type whose objects the driver has.
  Arguments(clang::ASTContext& context, const clang::RecordDecl* subject) : context_(context), subject_(subject) {}

  // `place`: number of the parameter in its call.
  Argument make(clang::QualType type, size_t variant, size_t place, int depth = 0);
  // Initialisers "{...}" for objects of a class; none: see `problem`. The ones with few parameters come first.
  std::vector<std::string> initialisers(const clang::CXXRecordDecl& record, std::string& problem, int depth = 0);
  std::string name(clang::QualType type) const;
  std::string name(const clang::NamedDecl& declaration) const;

 private:
  Argument pointed(clang::QualType pointee, size_t variant, size_t place, int depth, bool reference);
  Argument object(const clang::CXXRecordDecl& record, clang::QualType type, size_t variant, size_t place, int depth);
  Argument of_library(const clang::CXXRecordDecl& record, clang::QualType type, size_t variant, size_t place,
                      int depth);
  std::string callable(clang::QualType type) const;

  clang::ASTContext& context_;
  const clang::RecordDecl* subject_;
};

}  // namespace heddle::frontend::harness
