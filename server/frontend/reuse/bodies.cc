#include "server/frontend/reuse/bodies.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace heddle::frontend {
namespace {

class BodyFinder {
 public:
  BodyFinder(clang::ASTContext& context, BodiesByFile& out) : sources_(context.getSourceManager()), out_(out) {}

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
    const bool inline_for_all = function.isInlined() && function.isExternallyVisible();
    out_[path_of(*entry)].push_back({begin, end + 1, function.isDependentContext() || inline_for_all});
  }

  const clang::SourceManager& sources_;
  BodiesByFile& out_;
};

// What templates of the project were instantiated for.
class Instantiated {
 public:
  Instantiated(const clang::SourceManager& sources, Ends& out) : sources_(sources), out_(out) {}

  void visit(const clang::DeclContext& in) {
    for (const clang::Decl* declaration : in.noload_decls()) {
      if (declaration->isFromASTFile() || sources_.isInSystemHeader(declaration->getLocation())) continue;
      if (const auto* pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        for (const clang::FunctionDecl* made : pattern->specializations()) add_end(*made, out_);
      } else if (const auto* pattern = clang::dyn_cast<clang::ClassTemplateDecl>(declaration)) {
        for (const clang::ClassTemplateSpecializationDecl* made : pattern->specializations()) visit_class(*made);
      } else if (clang::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::RecordDecl>(declaration)) {
        visit(*clang::cast<clang::DeclContext>(declaration));
      }
    }
  }

 private:
  void visit_class(const clang::CXXRecordDecl& made) {
    for (const clang::Decl* member : made.noload_decls()) {
      if (const auto* method = clang::dyn_cast<clang::FunctionDecl>(member)) {
        if (method->isUsed() || method->isReferenced() || method->hasBody()) add_end(*method, out_);
      } else if (const auto* inner = clang::dyn_cast<clang::CXXRecordDecl>(member)) {
        if (!inner->isInjectedClassName()) visit_class(*inner);
      }
    }
    visit(made);
  }

  const clang::SourceManager& sources_;
  Ends& out_;
};

struct RawToken {
  clang::tok::TokenKind kind;
  uint32_t begin, end;
  bool first, spaced;  // on its line; after space
};

struct Tokens {
  Tokens(std::string_view of, const clang::LangOptions& language) : text(of) {
    clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
    clang::Token token;
    for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
      const auto end = static_cast<uint32_t>(lexer.getBufferLocation() - text.data());
      list.push_back({token.getKind(), end - token.getLength(), end, token.isAtStartOfLine(), token.hasLeadingSpace()});
    }
  }
  std::string_view spelling(size_t n) const {
    return std::string_view(text).substr(list[n].begin, list[n].end - list[n].begin);
  }
  bool equal(size_t n, const Tokens& other, size_t k) const {
    const RawToken &a = list[n], &b = other.list[k];
    return a.kind == b.kind && a.first == b.first && a.spaced == b.spaced && spelling(n) == other.spelling(k);
  }
  bool names(std::string_view name) const {
    for (size_t n = 0; n < list.size(); ++n)
      if (list[n].kind == clang::tok::raw_identifier && spelling(n) == name) return true;
    return false;
  }

  const std::string text;  // the lexer wants a zero at the end
  std::vector<RawToken> list;
};

// Their values are other ones wherever lines move or the macro was used before.
bool names_lines(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "_Pragma",  "__LINE__", "__COUNTER__",  "__builtin_LINE", "__builtin_COLUMN", "__builtin_source_location",
      "__TIME__", "__DATE__", "__TIMESTAMP__"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

// The token after the brace that closes the one at `open`; nothing if there is none or a directive on the way.
std::optional<size_t> after_body(const std::vector<RawToken>& tokens, size_t open) {
  int depth = 0;
  for (size_t n = open; n < tokens.size(); ++n) {
    if (tokens[n].kind == clang::tok::hash && tokens[n].first) return std::nullopt;
    depth += tokens[n].kind == clang::tok::l_brace;
    depth -= tokens[n].kind == clang::tok::r_brace;
    if (depth == 0) return n + 1;
  }
  return std::nullopt;
}

struct PlainFunction {  // from the token where it begins
  std::string name;
  std::optional<Body> body;
  size_t end = 0;
};

// `type name(parameters);` or with a body, of ordinary words.
std::optional<PlainFunction> plain_function(const Tokens& tokens, size_t begin) {
  using namespace clang::tok;
  static constexpr std::array<std::string_view, 27> kOther = {
      "alignas", "asm",    "auto",   "class",    "concept",   "consteval", "constexpr", "constinit", "decltype",
      "enum",    "export", "extern", "explicit", "friend",    "import",    "module",    "namespace", "operator",
      "private", "public", "return", "struct",   "protected", "template",  "typedef",   "using",     "virtual"};
  const std::vector<RawToken>& list = tokens.list;
  size_t n = begin;
  for (; n < list.size() && list[n].kind != l_paren; ++n) {
    if (list[n].kind == raw_identifier) {
      if (std::find(kOther.begin(), kOther.end(), tokens.spelling(n)) != kOther.end()) return std::nullopt;
    } else if (list[n].kind != star && list[n].kind != amp && list[n].kind != ampamp && list[n].kind != coloncolon &&
               list[n].kind != less && list[n].kind != greater && list[n].kind != comma) {
      return std::nullopt;
    }
  }
  // A type, a name that is not qualified, its parameters.
  if (n == list.size() || n < begin + 2 || list[n - 1].kind != raw_identifier || list[n - 2].kind == coloncolon)
    return std::nullopt;
  PlainFunction found;
  found.name = tokens.spelling(n - 1);
  for (int depth = 0; n < list.size(); ++n) {
    depth += list[n].kind == l_paren;
    depth -= list[n].kind == r_paren;
    if (list[n].kind == l_brace || list[n].kind == r_brace || list[n].kind == hash) return std::nullopt;
    if (depth == 0) break;
  }
  if (++n >= list.size()) return std::nullopt;
  if (list[n].kind == semi) {
    found.end = n + 1;
    return found;
  }
  if (list[n].kind != l_brace) return std::nullopt;
  const std::optional<size_t> end = after_body(list, n);
  if (!end) return std::nullopt;
  found.body = Body{list[n].begin, list[*end - 1].end};
  found.end = *end;
  return found;
}

}  // namespace

std::string path_of(clang::FileEntryRef file) {
  const llvm::StringRef real = file.getFileEntry().tryGetRealPathName();
  return real.empty() ? file.getName().str() : real.str();
}

void add_end(const clang::FunctionDecl& function, Ends& ends) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl* written = pattern ? pattern : &function;
  if (const clang::FunctionDecl* body = written->getDefinition()) written = body;
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  const clang::SourceLocation end = sources.getExpansionLoc(written->getEndLoc());
  if (end.isInvalid() || sources.isInSystemHeader(end)) return;
  const auto [file, offset] = sources.getDecomposedLoc(end);
  if (const auto entry = sources.getFileEntryRefForID(file)) ends[path_of(*entry)].insert(offset + 1);
}

Ends instantiated_in(clang::ASTContext& context) {
  Ends ends;
  Instantiated(context.getSourceManager(), ends).visit(*context.getTranslationUnitDecl());
  return ends;
}

void add_ends(const Ends& more, Ends& ends) {
  for (const auto& [path, offsets] : more) ends[path].insert(offsets.begin(), offsets.end());
}

BodiesByFile bodies_of(clang::ASTContext& context) {
  BodiesByFile found;
  BodyFinder finder(context, found);
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) finder.visit(*declaration);
  for (auto& [path, bodies] : found) {
    // A template's member is met in its class and where it is defined; an unguarded header's, at each inclusion.
    std::sort(bodies.begin(), bodies.end(), [](const Body& a, const Body& b) {
      return std::tuple(a.begin, b.end, a.by_need) < std::tuple(b.begin, a.end, b.by_need);
    });
    uint32_t end = 0;
    std::erase_if(bodies, [&](const Body& body) {
      if (body.begin < end) return true;
      end = body.end;
      return false;
    });
  }
  return found;
}

void add_bodies(const BodiesByFile& precompiled, BodiesByFile& bodies) {
  for (const auto& [path, before] : precompiled) {
    std::vector<Body>& all = bodies[path];
    if (all.empty() || before.back().end <= all.front().begin) all.insert(all.begin(), before.begin(), before.end());
  }
}

void add_words(std::string_view text, const clang::LangOptions& language, llvm::StringSet<>& words) {
  const Tokens tokens(text, language);
  for (size_t n = 0; n < tokens.list.size(); ++n)
    if (tokens.list[n].kind == clang::tok::raw_identifier) words.insert(tokens.spelling(n));
}

std::optional<SameText> same_but_for_bodies(std::string_view text, const std::vector<Body>& bodies,
                                            std::string_view other, const clang::LangOptions& language) {
  if (names_lines(text) || names_lines(other)) return std::nullopt;
  const Tokens before(text, language), after(other, language);
  SameText same;
  size_t n = 0, k = 0, body = 0;                // the next tokens, and the next of the bodies
  size_t n_declaration = 0, k_declaration = 0;  // where those declarations begin
  while (n < before.list.size() || k < after.list.size()) {
    if (n == before.list.size() || k == after.list.size() || !before.equal(n, after, k)) {
      n = n_declaration;
      k = k_declaration;
      const std::optional<PlainFunction> gone = plain_function(before, n), come = plain_function(after, k);
      if (gone && !after.names(gone->name)) {
        if (gone->body && (body == bodies.size() || bodies[body++] != *gone->body)) return std::nullopt;
        same.removed.push_back(gone->name);
        n_declaration = n = gone->end;
      } else if (come && !before.names(come->name)) {
        if (come->body) same.bodies.push_back(*come->body);
        same.added.push_back(come->name);
        k_declaration = k = come->end;
      } else {
        return std::nullopt;
      }
      continue;
    }
    const RawToken &a = before.list[n++], &b = after.list[k++];
    if (body < bodies.size() && a.begin == bodies[body].begin) {
      const auto old_after = after_body(before.list, n - 1), new_after = after_body(after.list, k - 1);
      if (!old_after || !new_after || before.list[*old_after - 1].end != bodies[body].end) return std::nullopt;
      same.bodies.push_back({b.begin, after.list[*new_after - 1].end});
      ++body;
      n = *old_after;
      k = *new_after;
    } else if (a.kind != clang::tok::semi && a.kind != clang::tok::l_brace && a.kind != clang::tok::r_brace) {
      continue;
    }
    n_declaration = n;
    k_declaration = k;
  }
  if (body != bodies.size()) return std::nullopt;
  return same;
}

}  // namespace heddle::frontend
