#include "server/frontend/bodies.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

class Finder {
 public:
  Finder(clang::ASTContext& context, BodiesByFile& out) : sources_(context.getSourceManager()), out_(out) {}

  void visit(const clang::Decl& declaration) {
    if (declaration.isFromASTFile()) return;
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration)) return add(*function);
    if (const auto* pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(&declaration))
      return add(*pattern->getTemplatedDecl());
    if (const auto* pattern = clang::dyn_cast<clang::ClassTemplateDecl>(&declaration))
      return visit(*pattern->getTemplatedDecl());
    if (const auto* friends = clang::dyn_cast<clang::FriendDecl>(&declaration)) {
      if (friends->getFriendDecl()) visit(*friends->getFriendDecl());
      return;
    }
    if (!clang::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::RecordDecl>(declaration)) return;
    const auto* written = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
    if (written && !written->isExplicitSpecialization()) return;
    for (const clang::Decl* child : clang::cast<clang::DeclContext>(declaration).decls()) visit(*child);
  }

 private:
  void add(const clang::FunctionDecl& function) {
    if (!function.doesThisDeclarationHaveABody() || function.isImplicit() || function.isDefaulted()) return;
    if (function.isTemplateInstantiation() || function.isConstexprSpecified()) return;
    if (function.getDeclaredReturnType()->getContainedDeducedType() != nullptr) return;
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (body == nullptr || body->getLBracLoc().isMacroID() || body->getRBracLoc().isMacroID()) return;
    const auto [file, begin] = sources_.getDecomposedLoc(body->getLBracLoc());
    const auto [last_file, end] = sources_.getDecomposedLoc(body->getRBracLoc());
    const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(file);
    if (file != last_file || !entry || sources_.isInSystemHeader(body->getLBracLoc())) return;
    out_[path_of(*entry)].push_back({begin, end + 1});
  }

  const clang::SourceManager& sources_;
  BodiesByFile& out_;
};

struct RawToken {
  clang::tok::TokenKind kind;
  uint32_t begin, end;
  bool first, spaced;  // on its line; behind space
};

std::vector<RawToken> tokens_of(const std::string& text, const clang::LangOptions& language) {
  std::vector<RawToken> tokens;
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    const auto end = static_cast<uint32_t>(lexer.getBufferLocation() - text.data());
    tokens.push_back({token.getKind(), end - token.getLength(), end, token.isAtStartOfLine(), token.hasLeadingSpace()});
  }
  return tokens;
}

// Their values are other ones wherever lines move or the macro was used before.
bool names_lines(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "__LINE__", "__COUNTER__", "__builtin_LINE", "__builtin_COLUMN", "__builtin_source_location",
      "__TIME__", "__DATE__",    "__TIMESTAMP__"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

// The token behind the brace that closes the one at `open`; nothing if there is none or a directive on the way.
std::optional<size_t> behind_body(const std::vector<RawToken>& tokens, size_t open) {
  int depth = 0;
  for (size_t n = open; n < tokens.size(); ++n) {
    if (tokens[n].kind == clang::tok::hash && tokens[n].first) return std::nullopt;
    depth += tokens[n].kind == clang::tok::l_brace;
    depth -= tokens[n].kind == clang::tok::r_brace;
    if (depth == 0) return n + 1;
  }
  return std::nullopt;
}

}  // namespace

std::string path_of(clang::FileEntryRef file) {
  const llvm::StringRef real = file.getFileEntry().tryGetRealPathName();
  return real.empty() ? file.getName().str() : real.str();
}

BodiesByFile bodies_of(clang::ASTContext& context) {
  BodiesByFile found;
  Finder finder(context, found);
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) finder.visit(*declaration);
  for (auto& [path, bodies] : found) {
    // A template's member is met in its class and where it is defined; an unguarded header's, at each inclusion.
    std::sort(bodies.begin(), bodies.end(),
              [](const Body& a, const Body& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    uint32_t behind = 0;
    std::erase_if(bodies, [&](const Body& body) {
      if (body.begin < behind) return true;
      behind = body.end;
      return false;
    });
  }
  return found;
}

std::optional<std::vector<Body>> same_but_for_bodies(std::string_view text, const std::vector<Body>& bodies,
                                                     std::string_view other, const clang::LangOptions& language) {
  if (names_lines(text) || names_lines(other)) return std::nullopt;
  const std::string before(text), after(other);  // the lexer wants a zero at the end
  const std::vector<RawToken> old_tokens = tokens_of(before, language), tokens = tokens_of(after, language);
  std::vector<Body> found;
  size_t n = 0, k = 0;
  const auto spelling = [](const std::string& of, const RawToken& token) {
    return std::string_view(of).substr(token.begin, token.end - token.begin);
  };
  while (n < old_tokens.size()) {
    if (k == tokens.size()) return std::nullopt;
    const RawToken &a = old_tokens[n], &b = tokens[k];
    if (a.kind != b.kind || a.first != b.first || a.spaced != b.spaced || spelling(before, a) != spelling(after, b))
      return std::nullopt;
    ++n;
    ++k;
    if (found.size() == bodies.size() || a.begin != bodies[found.size()].begin) continue;
    const auto old_behind = behind_body(old_tokens, n - 1), behind = behind_body(tokens, k - 1);
    if (!old_behind || !behind || old_tokens[*old_behind - 1].end != bodies[found.size()].end) return std::nullopt;
    found.push_back({b.begin, tokens[*behind - 1].end});
    n = *old_behind;
    k = *behind;
  }
  if (k != tokens.size() || found.size() != bodies.size()) return std::nullopt;
  return found;
}

}  // namespace heddle::frontend
