// The unit's own lambdas, numbered in the order of the text.
//
// Clang numbers the lambdas that no other unit can see in the order in which it is asked for their names. So it is asked
// when their function is handed to the code generator, whether code is generated for it or not.
//
// In:      functions, in the order of the text. Out: names of their lambdas' calls, as Clang mangles them.
// Owns:    numbers. Threads: one. Fails: never; generic lambdas have a number only when they are called.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/CodeGen/ModuleBuilder.h>

#include <set>
#include <string>
#include <vector>

namespace heddle::frontend {

class LambdaNumbers {
 public:
  // Those in a function, one in another after it.
  std::vector<std::string> number(const clang::FunctionDecl& function, clang::CodeGenerator& generator);
  // Whether all numbers in a name were given here.
  bool gave_all_in(llvm::StringRef name) const;

 private:
  std::set<std::string> given_;
};

}  // namespace heddle::frontend
