#include "server/frontend/reuse/reuse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/GlobalDecl.h>

#include <algorithm>
#include <utility>

#include "server/frontend/reuse/import_functions.h"
#include "server/frontend/reuse/lambda_numbers.h"

namespace heddle::frontend {
namespace {

// A constructor or destructor is several functions.
std::vector<clang::GlobalDecl> variants_of(const clang::FunctionDecl& function) {
  if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function))
    return {{constructor, clang::Ctor_Complete}, {constructor, clang::Ctor_Base}};
  if (const auto* destructor = clang::dyn_cast<clang::CXXDestructorDecl>(&function))
    return {{destructor, clang::Dtor_Complete}, {destructor, clang::Dtor_Base}, {destructor, clang::Dtor_Deleting}};
  return {clang::GlobalDecl(&function)};
}

void remove_all_but(const std::set<std::string>& reached, llvm::Module& module, Definitions& made) {
  const size_t removed = std::erase_if(made, [&](const auto& one) {
    if (reached.contains(one.first)) return false;
    if (llvm::Function* function = module.getFunction(one.first)) function->deleteBody();
    return true;
  });
  if (removed == 0) return;
  for (bool again = true; again;) {
    again = false;
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.isDiscardableIfUnused() || !variable.use_empty()) continue;
      variable.eraseFromParent();
      again = true;
    }
  }
}

// Of what other units can see: Clang numbers the unit's own lambdas in the order in which it is asked for their names.
std::vector<std::string> names_of(const clang::FunctionDecl& function, clang::CodeGenerator& generator) {
  std::vector<std::string> names;
  for (const clang::GlobalDecl variant : variants_of(function))
    names.push_back(generator.GetMangledName(variant).str());
  return names;
}

}  // namespace

// In front of the reader of precompiled headers. What is said to be defined elsewhere, and may not be inlined, Clang
// refers to and does not generate.
class Reuse::Source : public clang::MultiplexExternalSemaSource {
 public:
  Source(clang::ExternalSemaSource* reader, Reuse& owner)
      : MultiplexExternalSemaSource(reader, new clang::ExternalSemaSource), owner_(owner) {}

  // What was read before is as old to this source as it was to the reader.
  void begin(clang::ASTContext& context) { incrementGeneration(context); }

  ExtKind hasExternalDefinitions(const clang::Decl* declaration) override {
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration);
    if (function != nullptr && owner_.generator_ != nullptr && owner_.suppress_emission(*function)) return EK_Always;
    return MultiplexExternalSemaSource::hasExternalDefinitions(declaration);
  }

 private:
  Reuse& owner_;
};

Reuse::Reuse(const LastCompile& last, std::set<std::string> changed_files, uint32_t main_same)
    : last_(last), changed_(std::move(changed_files)), main_same_(main_same) {
  find_whole();
}

void Reuse::find_whole() {
  std::unordered_map<std::string_view, std::vector<const std::string*>> referrers;
  std::vector<const std::string*> open;
  for (const auto& [name, definition] : last_.definitions) {
    for (const std::string& reference : definition->references) referrers[reference].push_back(&name);
    if (definition->discardable && (!definition->quiet || !definition->lasting || !unchanged(*definition)))
      open.push_back(&name);
  }
  while (!open.empty()) {
    const std::string* name = open.back();
    open.pop_back();
    if (!partial_.insert(*name).second) continue;
    if (const auto found = referrers.find(*name); found != referrers.end())
      open.insert(open.end(), found->second.begin(), found->second.end());
  }
}

bool Reuse::unchanged(const Definition& definition) const {
  return std::none_of(definition.files.begin(), definition.files.end(), [&](const std::string& file) {
    return changed_.contains(file) && (file != last_.main_path || definition.main_end > main_same_);
  });
}

const Definition* Reuse::reusable(const std::string& name) const {
  const auto found = last_.definitions.find(name);
  if (found == last_.definitions.end() || !found->second->lasting || !unchanged(*found->second)) return nullptr;
  return found->second.get();
}

void Reuse::begin(clang::CodeGenerator& generator, clang::ASTContext& context) {
  auto* reader = llvm::dyn_cast_or_null<clang::ExternalSemaSource>(context.getExternalSource());
  if (reader == nullptr) return;
  generator_ = &generator;
  context_ = &context;
  auto source = llvm::makeIntrusiveRefCnt<Source>(reader, *this);
  context.setExternalSource(source);
  source->begin(context);
  std::set<std::string> wanted;
  for (const auto& [name, definition] : last_.definitions) {
    if (!definition->lasting || !unchanged(*definition)) continue;
    for (const std::string& reference : definition->references) {
      const auto found = last_.definitions.find(reference);
      if (found != last_.definitions.end() && found->second->discardable && !reusable(reference))
        wanted.insert(reference);
    }
  }
  for (const std::string& name : wanted) ask_for(name);
}

bool Reuse::keep(const clang::FunctionDecl& function, clang::CodeGenerator& generator) {
  const std::vector<std::string> names = names_of(function, generator);
  const bool may = known(names, [&](const std::string& name) { return reusable(name) != nullptr; });
  const Definition* was = nullptr;
  for (const std::string& name : names)
    if (may && !was) was = reusable(name);
  if (!was || was->lambdas) number_lambdas(function, generator);
  const bool seen = function.getASTContext().GetGVALinkageForFunction(&function) == clang::GVA_StrongExternal;
  if (!was || !seen) return false;
  note_withheld(names);
  for (const std::string& name : names)
    if (reusable(name)) kept_.insert(name);
  return true;
}

// What was taken over refers to it, and Clang does not see that.
void Reuse::ask_for(const std::string& name) {
  const auto* function = clang::dyn_cast_or_null<clang::FunctionDecl>(generator_->GetDeclForMangledName(name));
  if (function == nullptr) return;
  for (const clang::GlobalDecl variant : variants_of(*function))
    if (generator_->GetMangledName(variant) == name) generator_->GetAddrOfGlobal(variant, /*isForDefinition=*/false);
}

bool Reuse::suppress_emission(const clang::FunctionDecl& function) {
  const auto [at, inserted] = withheld_.try_emplace(&function, false);
  if (!inserted) return at->second;
  if (function.isDependentContext() || !function.isExternallyVisible()) return false;
  const std::vector<std::string> names = names_of(function, *generator_);
  if (!known(names, [&](const std::string& name) { return reusable(name) != nullptr; })) return false;
  note_withheld(names);
  auto& changeable = const_cast<clang::FunctionDecl&>(function);
  if (!function.hasAttr<clang::NoInlineAttr>()) changeable.addAttr(clang::NoInlineAttr::CreateImplicit(*context_));
  withheld_[&function] = true;
  return true;
}

// A destructor is instantiated: whether its body is empty decides about those of classes around it.
bool Reuse::suppress_instantiation(const clang::FunctionDecl& function, clang::CodeGenerator& generator) {
  if (clang::isa<clang::CXXDestructorDecl>(function) || !function.isExternallyVisible()) return false;
  const std::vector<std::string> names = names_of(function, generator);
  if (!known(names, [&](const std::string& name) { return is_whole(name); })) return false;
  note_withheld(names);
  return true;
}

// Without virtual bases the complete one is the base's, and Clang makes one of them only.
void Reuse::note_withheld(const std::vector<std::string>& variants) {
  if (variants.size() > 1 && last_.definitions.contains(variants[1]) && !last_.definitions.contains(variants[0]))
    same_as_[variants[0]] = variants[1];
  for (const std::string& name : variants) withheld_names_.insert(name);
}

template <typename May>
bool Reuse::known(const std::vector<std::string>& variants, May&& may) const {
  bool any = false;
  for (size_t n = 0; n < variants.size(); ++n) {
    if (!last_.definitions.contains(variants[n])) continue;
    if (!may(variants[n])) return false;
    any |= n < 2;  // the deleting one alone: the others are those of a base
  }
  return any;
}

void drop_unreached(llvm::Module& module, Definitions& made) {
  std::vector<const Definition*> open;
  std::set<std::string> reached;
  for (const auto& [name, definition] : made)
    if (!definition->discardable && reached.insert(name).second) open.push_back(definition.get());
  while (!open.empty()) {
    const Definition* definition = open.back();
    open.pop_back();
    for (const std::string& reference : definition->references)
      if (const auto own = made.find(reference); own != made.end() && reached.insert(reference).second)
        open.push_back(own->second.get());
  }
  remove_all_but(reached, module, made);
}

bool Reuse::choose(llvm::Module& module, Definitions& made) {
  std::vector<std::string> open;
  std::set<std::string> reached;
  const auto reach = [&](const std::string& name) {
    if (reached.insert(name).second) open.push_back(name);
  };
  for (const auto& [name, definition] : made)
    if (!definition->discardable) reach(name);
  for (const std::string& name : kept_) reach(name);
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (const auto own = made.find(name); own != made.end()) {
      for (const std::string& reference : own->second->references) reach(reference);
    } else if (const Definition* kept = reusable(name)) {
      taken_.insert(name);
      for (const std::string& reference : kept->references) reach(reference);
    } else if (const auto same = same_as_.find(name); same != same_as_.end()) {
      reach(same->second);
      if (llvm::Function* complete = module.getFunction(name)) {
        llvm::Function* base = module.getFunction(same->second);
        if (base == nullptr)
          base = llvm::Function::Create(complete->getFunctionType(), llvm::GlobalValue::ExternalLinkage, same->second,
                                        module);
        complete->replaceAllUsesWith(base);
      }
    } else if (last_.definitions.contains(name) || withheld_names_.contains(name)) {
      return false;
    }
  }
  for (auto& [name, definition] : made)
    for (std::string& reference : definition->references)
      if (const auto same = same_as_.find(reference); same != same_as_.end() && !made.contains(reference))
        reference = same->second;
  for (const std::string& name : taken_) {
    const Definition& kept = *last_.definitions.at(name);
    llvm::Function* function = kept.function ? module.getFunction(name) : nullptr;
    if (function && kept.does_not_throw) function->setDoesNotThrow();
    for (const std::string& reference : kept.references)
      if (const auto before = last_.definitions.find(reference);
          before != last_.definitions.end() && made.contains(reference))
        throws_as_[reference] = before->second->does_not_throw;
  }
  remove_all_but(reached, module, made);
  return true;
}

bool Reuse::still_right(const llvm::Module& module) const {
  return std::all_of(throws_as_.begin(), throws_as_.end(), [&](const auto& was) {
    const llvm::Function* function = module.getFunction(was.first);
    return function == nullptr || function->doesNotThrow() == was.second;
  });
}

bool Reuse::import_functions(program::Unit& unit, Definitions& made) const {
  for (const std::string& name : taken_) made.emplace(name, last_.definitions.at(name));
  return frontend::import_functions(unit, *last_.unit, taken_);
}

}  // namespace heddle::frontend
