// What a compile's definitions depend on: Definition.
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/VTableBuilder.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "server/frontend/reuse/lambda_numbers.h"
#include "server/frontend/reuse/reuse.h"
#include "server/library/link_names.h"

namespace heddle::frontend {
namespace {

// The project's files that decide about a declaration: where it is written, and where local types are that it is made
// for, since what is in them stands in the body of a function.
class Files : public clang::RecursiveASTVisitor<Files> {
 public:
  explicit Files(clang::ASTContext& context)
      : sources_(context.getSourceManager()), language_(context.getLangOpts()), main_(path_at(main_begin())) {}

  void look_at(const clang::Decl& declaration, Definition& definition) {
    found_.clear();
    seen_.clear();
    main_end_ = 0;
    numbered_by_need_ = false;
    add_place(declaration);
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration)) {
      if (const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern()) add_place(*pattern);
      add_function(*function);
    }
    add_contexts(declaration);
    definition.files = {found_.begin(), found_.end()};
    definition.main_end = main_end_;
  }

  // Of what was looked at last: the names have numbers that the next compile may give to something else.
  bool numbered_by_need() const { return numbered_by_need_; }

  // Its lines may be anywhere: default arguments, and what members begin with.
  void look_at_lines(const llvm::Function& function, Definition& definition) {
    std::map<const llvm::DIFile*, unsigned> last;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (const llvm::DILocation* at = instruction.getDebugLoc()) {
          unsigned& line = last[at->getFile()];
          line = std::max(line, at->getLine());
        }
    for (const auto& [file, line] : last) {
      const std::string& path = path_of_lines(file);
      const bool own = function.getSubprogram() && file == function.getSubprogram()->getFile();
      if (path.empty() || (own && path != main_)) continue;
      if (std::find(definition.files.begin(), definition.files.end(), path) == definition.files.end())
        definition.files.push_back(path);
      if (path != main_) continue;
      const clang::SourceLocation next_line = sources_.translateLineCol(sources_.getMainFileID(), line + 1, 1);
      definition.main_end = std::max(definition.main_end, sources_.getFileOffset(next_line));
    }
  }

  // An instantiation of a text of the project.
  bool of_template(const clang::Decl& declaration) const {
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration)) {
      const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
      return pattern != nullptr && !sources_.isInSystemHeader(sources_.getExpansionLoc(pattern->getLocation()));
    }
    const auto* variable = clang::dyn_cast<clang::VarDecl>(&declaration);
    return variable && clang::isTemplateInstantiation(variable->getTemplateSpecializationKind()) &&
           !sources_.isInSystemHeader(sources_.getExpansionLoc(variable->getLocation()));
  }

  bool VisitTagType(clang::TagType* type) {
    const clang::TagDecl& tag = *type->getDecl();
    if (!seen_.insert(&tag).second) return true;
    numbered_by_need_ |= is_numbered_by_need(tag);
    const auto* record = clang::dyn_cast<clang::CXXRecordDecl>(&tag);
    if (tag.getParentFunctionOrMethod() != nullptr || (record && record->isLambda())) add_place(tag);
    if (record) add_record(*record);
    add_contexts(tag);
    return true;
  }

 private:
  clang::SourceLocation main_begin() const { return sources_.getLocForStartOfFile(sources_.getMainFileID()); }
  std::string path_at(clang::SourceLocation at) const {
    const auto file = sources_.getFileEntryRefForID(sources_.getFileID(at));
    return file ? path_of(*file) : std::string();
  }
  const std::string& path_of_lines(const llvm::DIFile* file) {
    const auto [at, inserted] = line_files_.try_emplace(file);
    if (!inserted || file == nullptr) return at->second;
    llvm::SmallString<256> name(file->getFilename());
    if (!llvm::sys::path::is_absolute(name)) llvm::sys::path::append(name = file->getDirectory(), file->getFilename());
    if (const auto entry = sources_.getFileManager().getOptionalFileRef(name)) at->second = path_of(*entry);
    return at->second;
  }
  void add_place(const clang::Decl& declaration) {
    const clang::SourceLocation at = sources_.getExpansionLoc(declaration.getLocation());
    if (at.isInvalid() || sources_.isInSystemHeader(at)) return;
    const std::string path = path_at(at);
    if (path.empty()) return;
    found_.insert(path);
    if (path == main_) main_end_ = std::max(main_end_, end_of(declaration));
  }
  // After the text of all that it means.
  uint32_t end_of(const clang::Decl& declaration) const {
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration);
    if (!function) return end_of_text(declaration);
    const clang::FunctionDecl* body = function->getDefinition();
    const uint32_t written = end_of_text(body ? *body : *function);
    const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(function);
    return method && function->isDefaulted() ? std::max(written, end_of_text(*method->getParent())) : written;
  }
  uint32_t end_of_text(const clang::Decl& whole) const {
    const clang::SourceLocation last = sources_.getExpansionRange(whole.getEndLoc()).getEnd();
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources_, language_);
    return end.isValid() ? sources_.getFileOffset(end) : UINT32_MAX;
  }
  void add_arguments(const clang::TemplateArgumentList& list) {
    for (const clang::TemplateArgument& argument : list.asArray()) add_argument(argument);
  }
  void add_argument(const clang::TemplateArgument& argument) {
    if (argument.getKind() == clang::TemplateArgument::Type) TraverseType(argument.getAsType().getCanonicalType());
    if (argument.getKind() == clang::TemplateArgument::Declaration) add_contexts(*argument.getAsDecl());
    if (argument.getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument& one : argument.pack_elements()) add_argument(one);
  }
  void add_function(const clang::FunctionDecl& function) {
    if (const auto* arguments = function.getTemplateSpecializationArgs()) add_arguments(*arguments);
  }
  void add_record(const clang::CXXRecordDecl& record) {
    if (const auto* made = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record))
      add_arguments(made->getTemplateArgs());
  }
  void add_contexts(const clang::Decl& declaration) {
    for (const clang::DeclContext* in = declaration.getDeclContext(); in != nullptr; in = in->getParent()) {
      if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(in)) {
        add_place(*function);
        add_function(*function);
      }
      if (const auto* record = clang::dyn_cast<clang::CXXRecordDecl>(in))
        if (seen_.insert(record).second) {
          numbered_by_need_ |= is_numbered_by_need(*record);
          if (record->isLambda()) add_place(*record);
          add_record(*record);
        }
    }
  }

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  const std::string main_;
  std::set<std::string> found_;
  uint32_t main_end_ = 0;
  bool numbered_by_need_ = false;
  std::map<const llvm::DIFile*, std::string> line_files_;
  std::set<const clang::Decl*> seen_;
};

// What a definition refers to. What has no name that lasts (literals, tables that belong to a function) is looked
// through.
class References {
 public:
  explicit References(Definition& out) : out_(out) {}

  void add(const llvm::Function& function) {
    for (const llvm::Use& use : function.operands()) add(use.get());  // the personality
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        for (const llvm::Use& use : instruction.operands()) add(use.get());
  }
  void add(const llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant == nullptr || llvm::isa<llvm::ConstantData>(constant) || !seen_.insert(constant).second) return;
    const auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant);
    if (global == nullptr) {
      for (const llvm::Use& use : constant->operands()) add(use.get());
      return;
    }
    if (global->getName().starts_with("llvm.")) return;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
    if (variable && variable->hasLocalLinkage() && variable->isConstant() && variable->hasInitializer())
      return add(variable->getInitializer());
    // The unit's own variables, and what is there only if something else is made, are no matter of a name.
    const bool odd = (global->hasLocalLinkage() && !llvm::isa<llvm::Function>(global)) ||
                     llvm::isa<llvm::GlobalAlias, llvm::GlobalIFunc>(global) ||
                     (global->isThreadLocal() && !global->isDeclaration());
    if (odd) out_.lasting = false;
    out_.references.push_back(global->getName().str());
    // An alias is no definition: a reference to it is one to what it stands for.
    if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(global)) add(alias->getAliasee());
    if (const auto* chosen = llvm::dyn_cast<llvm::GlobalIFunc>(global)) add(chosen->getResolver());
  }

 private:
  Definition& out_;
  std::set<const llvm::Constant*> seen_;
};

// Thunks are made together with the function that they lead to.
bool has_thunks(const clang::FunctionDecl& function) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->isVirtual()) return false;
  const auto* destructor = clang::dyn_cast<clang::CXXDestructorDecl>(method);
  const clang::GlobalDecl whole = destructor ? clang::GlobalDecl(destructor, clang::Dtor_Complete) : method;
  const auto* thunks = method->getASTContext().getVTableContext()->getThunkInfo(whole);
  return thunks && !thunks->empty();
}

// Of what the unit has for itself or for all, functions are taken over that nothing else is made for.
bool is_plain(const clang::Decl& declaration) {
  const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration);
  if (!function) return false;
  const bool special = function->hasAttr<clang::ConstructorAttr>() || function->hasAttr<clang::DestructorAttr>() ||
                       function->hasAttr<clang::UsedAttr>() || function->hasAttr<clang::RetainAttr>() ||
                       function->hasAttr<clang::AliasAttr>() || function->hasAttr<clang::IFuncAttr>() ||
                       function->isMultiVersion();
  return !special && !has_thunks(*function) && !has_numbered_by_need(*function);
}

bool is_structor_of_virtual_bases(const clang::Decl& declaration) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&declaration);
  return method && clang::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) &&
         method->getParent()->getNumVBases() > 0;
}

// Whether the code generator can be asked for it by name: it was given its text.
bool is_written(const clang::Decl* declaration) {
  const auto* function = clang::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  return function != nullptr && !function->isImplicit() && !function->isDefaulted();
}

}  // namespace

Definitions definitions_of(clang::CodeGenerator& generator, clang::ASTContext& context, const llvm::Module& module) {
  Definitions made;
  Files files(context);
  const auto start = [&](const llvm::GlobalObject& global) -> Definition& {
    auto definition = std::make_shared<Definition>();
    const std::string name = global.getName().str();
    const llvm::GlobalValue::LinkageTypes linkage = global.getLinkage();
    definition->discardable = llvm::GlobalValue::isDiscardableIfUnused(linkage) && !name.starts_with("llvm.");
    definition->lasting =
        linkage == llvm::GlobalValue::LinkOnceODRLinkage || linkage == llvm::GlobalValue::AvailableExternallyLinkage;
    if (library::is_thread_local_access(name) || global.isThreadLocal()) definition->lasting = false;
    if (const clang::Decl* declaration = generator.GetDeclForMangledName(name)) {
      files.look_at(*declaration, *definition);
      if (global.hasExternalLinkage() || global.hasLocalLinkage())
        definition->lasting = llvm::isa<llvm::Function>(global) && is_plain(*declaration) && !files.numbered_by_need();
      if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration))
        definition->lambdas = number_lambdas(*function, generator);
      if (is_structor_of_virtual_bases(*declaration)) definition->lasting = false;
      definition->written = is_written(declaration);
      definition->quiet = !files.of_template(*declaration);
    }
    return *(made[name] = definition);
  };
  std::set<std::string> initialised;  // variables that code initialises before main
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    Definition& definition = start(function);
    definition.function = true;
    if (function.isPresplitCoroutine()) definition.lasting = false;
    References(definition).add(function);
    files.look_at_lines(function, definition);
    if (function.getName().starts_with("__cxx_global_"))
      initialised.insert(definition.references.begin(), definition.references.end());
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.getName().empty()) continue;
    if (variable.hasLocalLinkage() && variable.isConstant()) continue;
    Definition& definition = start(variable);
    References(definition).add(variable.getInitializer());
  }
  // Other units may refer to an alias.
  for (const llvm::GlobalAlias& alias : module.aliases()) {
    const llvm::GlobalObject* object = alias.getAliaseeObject();
    if (alias.isDiscardableIfUnused() || object == nullptr) continue;
    const auto found = made.find(object->getName().str());
    if (found == made.end()) continue;
    found->second->discardable = false;
    const clang::Decl* declaration = generator.GetDeclForMangledName(alias.getName());
    if (!declaration || declaration->hasAttr<clang::AliasAttr>()) found->second->lasting = false;
  }
  for (const llvm::GlobalIFunc& chosen : module.ifuncs())
    if (const llvm::Function* resolver = chosen.getResolverFunction())
      if (const auto found = made.find(resolver->getName().str()); found != made.end())
        found->second->discardable = found->second->lasting = false;
  for (const std::string& name : initialised)
    if (const auto found = made.find(name); found != made.end() && !found->second->function)
      found->second->lasting = false;
  return made;
}

void settle(Definitions& definitions) {
  for (bool grown = true; grown;) {
    grown = false;
    for (auto& [name, definition] : definitions)
      for (const std::string& reference : definition->references) {
        const auto found = definitions.find(reference);
        if (found == definitions.end() || !found->second->discardable) continue;
        const Definition& other = *found->second;
        // What cannot be taken over must be made again for what refers to it.
        if (!other.lasting && definition->lasting) {
          definition->lasting = false;
          grown = true;
        }
        if (other.written) continue;
        if (other.main_end > definition->main_end) {
          definition->main_end = other.main_end;
          grown = true;
        }
        for (const std::string& file : other.files)
          if (std::find(definition->files.begin(), definition->files.end(), file) == definition->files.end()) {
            definition->files.push_back(file);
            grown = true;
          }
      }
  }
}

}  // namespace heddle::frontend
