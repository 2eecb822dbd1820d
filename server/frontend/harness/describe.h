// Finds classes and functions by name in a parsed text, and describes how a driver calls them.
//
// In:      the AST of a text that includes them; names as the user writes them.
// Out:     a Subject per class, one for all functions; or what is wrong with a name.
// Cost:    a walk over the project's declarations, and over the bodies of the methods.
// Owns:    nothing.
// Threads: the thread that parses.
// Fails:   Subject::problem says what a class lacks; Found::problem what is wrong with a name.
#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

#include "server/frontend/harness/subject.h"

namespace heddle::frontend::harness {

// What a name stands for. A template with arguments needs its type to be spelled in the text: `spelled`.
struct Found {
  std::vector<const clang::CXXRecordDecl*> classes;
  std::vector<const clang::RecordDecl*> structs;  // of C
  std::vector<const clang::ClassTemplateDecl*> templates;
  std::vector<const clang::FunctionDecl*> functions;
};
Found find(clang::ASTContext& context, const std::string& name);

std::string qualified(const clang::NamedDecl& declaration);
// "Queue<int>" -> "Queue" and "<int>".
std::pair<std::string, std::string> split_arguments(const std::string& name);

Subject describe_class(clang::ASTContext& context, const clang::CXXRecordDecl& record, const std::string& type,
                       const std::string& label);
// Functions that share a struct. `record`: that struct, or null to find it.
Subject describe_functions(clang::ASTContext& context, std::vector<const clang::FunctionDecl*> functions,
                           const clang::RecordDecl* record, const std::string& label);
// Functions of C for this struct, in the order of the text.
std::vector<const clang::FunctionDecl*> functions_of(clang::ASTContext& context, const clang::RecordDecl& record);

}  // namespace heddle::frontend::harness
