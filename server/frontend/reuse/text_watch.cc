#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>

#include "server/frontend/reuse/standard_headers.h"

namespace heddle::frontend {

// Directives of the text. Those of the headers that are precompiled are not read again.
class TextCallbacks : public clang::PPCallbacks {
 public:
  explicit TextCallbacks(TextWatch& watch) : watch_(watch) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                          const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    if (file) watch_.include(hash, file->getUniqueID());
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs*) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void Elifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void Elifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    watch_.use_of_macro(name, macro.getMacroInfo());
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* macro) override {
    const clang::MacroDirective* before = macro->getPrevious();
    watch_.change_of_macro(name, before ? before->getMacroInfo() : nullptr);
  }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition& macro,
                      const clang::MacroDirective*) override {
    watch_.change_of_macro(name, macro.getMacroInfo());
  }
  void PragmaDirective(clang::SourceLocation at, clang::PragmaIntroducerKind) override {
    const clang::SourceManager& sources = *watch_.sources_;
    if (sources.isInSystemHeader(at)) return;  // they leave things as they found them
    const llvm::StringRef rest =
        llvm::StringRef(sources.getCharacterData(at)).take_until([](char c) { return c == '\n'; });
    llvm::SmallVector<llvm::StringRef, 4> words;
    rest.ltrim("# \t").split(words, ' ', -1, false);
    const bool harmless = words.size() >= 2 && words[0] == "pragma" &&
                          (words[1].trim() == "once" || words[1] == "mark" || words[1] == "region" ||
                           words[1].trim() == "endregion" || (words.size() >= 3 && words[2].trim() == "diagnostic"));
    if (!harmless) watch_.change_ = "a pragma";
  }

 private:
  TextWatch& watch_;
};

// What the project's text refers to must be declared where it can see it.
class References : public clang::RecursiveASTVisitor<References> {
 public:
  References(TextWatch& watch, clang::ASTContext& context) : watch_(watch), context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    // A `using` of the library counts where it stands, and the function it names where that is declared.
    return check(reference->getFoundDecl(), reference->getLocation()) &&
           check(reference->getDecl(), reference->getLocation());
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) { return check(type.getTypedefNameDecl(), type.getNameLoc()); }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) { return check(type.getDecl(), type.getNameLoc()); }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc type) { return check(type.getFoundDecl(), type.getNameLoc()); }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) {
    const clang::TemplateDecl* of = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return !of || check(of, type.getTemplateNameLoc());
  }

 private:
  bool check(const clang::NamedDecl* named, clang::SourceLocation place) {
    const clang::SourceLocation at = context_.getSourceManager().getExpansionLoc(place);
    if (at.isInvalid() || watch_.in_precompiled(at)) return true;
    // What is made of a template is declared where the template is.
    const clang::Decl* declared = named;
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(named); function && function->getPrimaryTemplate())
      declared = function->getPrimaryTemplate();
    for (const clang::Decl* one : declared->redecls())
      if (watch_.visible(one->getLocation(), at)) return true;
    watch_.object("the text names " + named->getQualifiedNameAsString() + " before it includes it");
    return false;
  }

  TextWatch& watch_;
  clang::ASTContext& context_;
};

void TextWatch::attach(clang::CompilerInstance& instance) {
  sources_ = &instance.getSourceManager();
  instance.getPreprocessor().addPPCallbacks(std::make_unique<TextCallbacks>(*this));
  instance.getPreprocessor().setTokenWatcher([this](const clang::Token& one) { token(one); });
}

void TextWatch::check_references(clang::ASTContext& context) {
  References references(*this, context);
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) {
    if (!objection_.empty()) return;
    if (declaration->isFromASTFile() || context.getSourceManager().isInSystemHeader(declaration->getLocation()))
      continue;
    references.TraverseDecl(declaration);
  }
}

void TextWatch::token(const clang::Token& one) {
  if (in_library_text(one.getLocation())) return;
  if (one.isOneOf(clang::tok::l_brace, clang::tok::l_paren, clang::tok::l_square)) ++depth_;
  if (one.isOneOf(clang::tok::r_brace, clang::tok::r_paren, clang::tok::r_square)) --depth_;
  at_start_ = depth_ == 0 && one.isOneOf(clang::tok::semi, clang::tok::r_brace);
}

void TextWatch::include(clang::SourceLocation at, HeaderId file) {
  if (!headers_.includes.contains(file) || reached(file)) return;
  if (!change_.empty()) object("the text includes a header of the library after " + change_);
  if (!at_start_) object("the text includes a header of the library inside a declaration");
  reach(at, file);
}

void TextWatch::reach(clang::SourceLocation at, HeaderId file) {
  std::vector<HeaderId> open = {file};
  while (!open.empty()) {
    const HeaderId next = open.back();
    open.pop_back();
    if (!reached_.emplace(next, at).second) continue;
    if (const auto found = headers_.includes.find(next); found != headers_.includes.end())
      open.insert(open.end(), found->second.begin(), found->second.end());
  }
}

bool TextWatch::in_precompiled(clang::SourceLocation at) const { return sources_->isLoadedSourceLocation(at); }

// In a header of the library that is not precompiled, or in what it includes.
bool TextWatch::in_library_text(clang::SourceLocation at) {
  const clang::FileID file = sources_->getFileID(sources_->getExpansionLoc(at));
  const auto [known, fresh] = library_texts_.try_emplace(file, false);
  if (!fresh) return known->second;
  const clang::SourceLocation place = sources_->getLocForStartOfFile(file), from = sources_->getIncludeLoc(file);
  if (!sources_->isInSystemHeader(place)) return false;
  const llvm::StringRef name = llvm::sys::path::filename(sources_->getFilename(place));
  const bool library = name == "iostream" || name == "cassert" || !standard_headers_for(name).empty() ||
                       (from.isValid() && in_library_text(from));
  return library_texts_[file] = library;
}

std::optional<HeaderId> TextWatch::file_of(clang::SourceLocation at) const {
  const auto file = sources_->getFileEntryRefForID(sources_->getFileID(sources_->getExpansionLoc(at)));
  if (!file) return std::nullopt;
  return file->getUniqueID();
}

bool TextWatch::visible(clang::SourceLocation of, clang::SourceLocation at) const {
  if (of.isInvalid() || !in_precompiled(of)) return true;
  const std::optional<HeaderId> file = file_of(of);
  if (!file) return true;  // built in, or of the command line
  const auto found = reached_.find(*file);
  return found != reached_.end() && sources_->isBeforeInTranslationUnit(found->second, at);
}

void TextWatch::use_of_macro(const clang::Token& name, const clang::MacroInfo* macro) {
  if (name.getIdentifierInfo()->isStr("__COUNTER__")) object("the text uses __COUNTER__");
  const clang::SourceLocation at = sources_->getSpellingLoc(name.getLocation());
  if (!macro || !file_of(at) || in_precompiled(at) || in_library_text(at)) return;
  const clang::SourceLocation defined = macro->getDefinitionLoc();
  if (defined.isInvalid() || !in_precompiled(defined)) return;
  const std::optional<HeaderId> file = file_of(defined);
  if (file && !reached(*file))
    object("the text names the macro " + name.getIdentifierInfo()->getName().str() + " before it includes it");
}

void TextWatch::change_of_macro(const clang::Token& name, const clang::MacroInfo* before) {
  const clang::SourceLocation at = sources_->getSpellingLoc(name.getLocation());
  if (!file_of(at) || in_precompiled(at) || in_library_text(at)) return;  // no file: of the command line, in both
  use_of_macro(name, before);
  const llvm::StringRef word = name.getIdentifierInfo()->getName();
  if (headers_.identifiers.contains(word)) change_ = "a change of the macro " + word.str();
}

}  // namespace heddle::frontend
