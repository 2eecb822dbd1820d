#include "server/frontend/reuse/extended_preamble.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

class CutFinder {
 public:
  CutFinder(const clang::SourceManager& sources, Cuts& out) : sources_(sources), out_(out) {}

  void visit(const clang::DeclContext& in, const std::string& close, const std::string& open) {
    for (const clang::Decl* declaration : in.noload_decls()) {
      if (declaration->isFromASTFile()) continue;
      if (const auto* space = clang::dyn_cast<clang::NamespaceDecl>(declaration)) {
        visit_namespace(*space, close, open);
      } else if (const auto* pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        add(*pattern->getTemplatedDecl(), close, open);
      } else if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration)) {
        add(*function, close, open);
      }
    }
  }

 private:
  // `namespace a::b {` is two of them and one brace.
  void visit_namespace(const clang::NamespaceDecl& space, const std::string& close, const std::string& open) {
    if (space.hasAttrs()) return;
    const std::string name = space.getName().str(), word = space.isInline() ? "inline " : "";
    if (space.isNested() && !open.empty())
      visit(space, close, open.substr(0, open.size() - 2) + "::" + word + name + " {");
    else
      visit(space, close + "}", open + word + "namespace " + name + " {");
  }

  void add(const clang::FunctionDecl& function, const std::string& close, const std::string& open) {
    if (!function.doesThisDeclarationHaveABody() || function.isImplicit()) return;
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (body == nullptr || body->getRBracLoc().isMacroID()) return;
    const auto [file, end] = sources_.getDecomposedLoc(body->getRBracLoc());
    if (file == sources_.getMainFileID()) out_.push_back({end + 1, close, open});
  }

  const clang::SourceManager& sources_;
  Cuts& out_;
};

// Of the text: no condition of the preprocessor is open there, and no pragma was met.
std::vector<bool> outside_directives(const Cuts& cuts, llvm::StringRef text, const clang::LangOptions& language) {
  std::vector<bool> outside(cuts.size());
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token;
  size_t next = 0;
  int depth = 0;
  bool directive = false;
  for (bool eof = lexer.LexFromRawLexer(token);; eof = lexer.LexFromRawLexer(token)) {
    const auto end = static_cast<uint32_t>(lexer.getBufferLocation() - text.begin());
    for (; next < cuts.size() && (eof || cuts[next].offset < end); ++next) outside[next] = depth == 0;
    if (eof || token.is(clang::tok::eof)) return outside;
    if (token.is(clang::tok::raw_identifier) && (directive || token.getRawIdentifier() == "_Pragma")) {
      const llvm::StringRef word = token.getRawIdentifier();
      if (word.starts_with("if")) ++depth;
      if (word == "endif") --depth;
      if (word == "pragma" || word == "_Pragma") return outside;
    }
    directive = token.is(clang::tok::hash) && token.isAtStartOfLine();
  }
}

}  // namespace

Cuts cuts_of(clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  Cuts all, cuts;
  CutFinder(sources, all).visit(*context.getTranslationUnitDecl(), "", "");
  std::sort(all.begin(), all.end(), [](const Cut& a, const Cut& b) { return a.offset < b.offset; });
  const auto text = sources.getBufferDataOrNone(sources.getMainFileID());
  if (!text) return cuts;
  const std::vector<bool> outside = outside_directives(all, *text, context.getLangOpts());
  for (size_t n = 0; n < all.size(); ++n)
    if (outside[n]) cuts.push_back(std::move(all[n]));
  return cuts;
}

const Cut* cut_before_edit(const Cuts& cuts, std::string_view before, std::string_view after) {
  const auto [at, other] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  const auto same = static_cast<size_t>(at - before.begin());
  const Cut* last = nullptr;
  for (const Cut& cut : cuts)
    if (cut.offset <= same) last = &cut;
  return last;
}

}  // namespace heddle::frontend
