#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstring>

#include "server/frontend/lower/large_variables.h"
#include "server/frontend/lower/lowering.h"
#include "server/program/hash.h"
#include "server/program/identity_hash.h"

namespace heddle::frontend {

using program::FileId;
using program::PlaceId;
using program::SymbolId;

namespace {
constexpr uint64_t kLargeBytes = uint64_t{1} << 20;

// Of a function that Clang makes for a variable (passes.cc names it after that): "initialiser of count". Clang's own
// name holds a number, which changes with what is in front.
std::string name_of_initialiser(llvm::StringRef link_name) {
  for (const auto& [prefix, words] : {std::pair{"__cxx_global_var_init.", "initialiser of "},
                                      std::pair{"__cxx_global_array_dtor.", "destructor of "}}) {
    llvm::StringRef variable = link_name;
    if (!variable.consume_front(prefix) || variable.empty() ||
        variable.find_first_not_of("0123456789") == llvm::StringRef::npos)
      continue;
    const std::string name = llvm::demangle(variable.str());
    return words + name.substr(0, name.find('['));  // without its tag of the ABI
  }
  return "";
}
}  // namespace

program::Unit lower_module(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
                           const std::string& directory) {
  return UnitLowering(module, facts, path, directory).run();
}

UnitLowering::UnitLowering(const llvm::Module& m, const SourceFacts& f, const std::string& path,
                           const std::string& directory)
    : module(m), layout(m.getDataLayout()), facts(f), debug(unit, directory, layout) {
  unit.path = path;
}

namespace {

program::Visibility visibility_of(const llvm::GlobalValue& value) {
  if (value.hasLocalLinkage() || value.hasDefaultVisibility()) return program::Visibility::Default;
  return value.hasHiddenVisibility() ? program::Visibility::Hidden : program::Visibility::Protected;
}

// `__attribute__((section(".init_array")))`: pointers that the text itself puts where the runtime calls them.
void add_initialiser_section(UnitLowering& to, const llvm::GlobalVariable& global) {
  constexpr uint32_t kDefaultPriority = 65535;
  llvm::StringRef section = global.getSection();
  const bool destructor = section.starts_with(".fini_array");
  if (!global.hasInitializer()) return;
  if (!section.consume_front(".init_array") && !section.consume_front(".fini_array") &&
      !section.consume_front(".preinit_array"))
    return;
  uint32_t priority = kDefaultPriority;
  if (section.consume_front(".") && section.getAsInteger(10, priority)) priority = kDefaultPriority;
  const auto add = [&](const llvm::Value* value) {
    const auto* function = llvm::dyn_cast<llvm::Function>(value->stripPointerCasts());
    if (function) to.unit.initialisers.push_back({to.symbol(*function), priority, destructor});
  };
  const llvm::Constant* list = global.getInitializer();
  if (!llvm::isa<llvm::ConstantArray>(list)) return add(list);
  for (const llvm::Use& one : list->operands()) add(one.get());
}

}  // namespace

program::Unit UnitLowering::run() {
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration() || global.getName().starts_with("llvm.")) continue;
    lower_global(global);
  }
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    program::Function out;
    out.symbol = symbol(function);
    const std::string& name = unit.symbols[out.symbol.value].name;
    out.display_name = name;
    if (const llvm::DISubprogram* program = function.getSubprogram()) {
      const std::string initialiser = name_of_initialiser(function.getName());
      out.display_name = initialiser.empty() ? program->getName().str() : initialiser;
      out.place = debug.place(debug.file(program->getFile()), program->getLine(), 0);
    } else {
      out.place = PlaceId(0);
    }
    describe(function.getName().str(), out.display_name, out.place, out.in_project, &out.statements);
    lower_function(*this, function, out);
    unit.functions.push_back(std::move(out));
  }
  lower_aliases();
  lower_initialisers("llvm.global_ctors", false);
  lower_initialisers("llvm.global_dtors", true);
  for (const llvm::GlobalVariable& global : module.globals()) add_initialiser_section(*this, global);
  return std::move(unit);
}

void UnitLowering::describe(const std::string& link_name, std::string& display_name, PlaceId& place, bool& in_project,
                            std::vector<program::Statement>* statements) {
  const auto found = facts.definitions.find(link_name);
  if (found == facts.definitions.end()) {  // made by Clang: the project's, but for what ends a noexcept function
    in_project = link_name != "__clang_call_terminate";
    return;
  }
  const DefinitionFacts& known = found->second;
  if (!known.display_name.empty()) display_name = known.display_name;
  if (!known.place.path.empty())
    place = debug.place(debug.file(known.place.path), known.place.line, known.place.column);
  in_project = !known.system;
  if (!statements) return;
  for (const StatementFact& fact : known.statements)
    statements->push_back(
        {fact.kind, {debug.file(fact.path), fact.begin_line, fact.begin_column, fact.end_line, fact.end_column}});
}

// Numbered names of constants (.str.7) change when an unrelated one is added above; their content does not.
std::string UnitLowering::symbol_name(const llvm::GlobalValue& value) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  const bool numbered = value.getName().starts_with(".") || value.getName().empty();
  if (!global || !numbered || !value.hasLocalLinkage() || !global->isConstant() || !global->hasInitializer())
    return value.getName().str();
  program::IdentityHasher hasher;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer())) {
    const llvm::StringRef bytes = data->getRawDataValues();
    hasher.bytes(bytes.data(), bytes.size());
  } else if (global->getInitializer()->isNullValue()) {
    hasher.number(layout.getTypeAllocSize(global->getValueType()));
  } else {
    return value.getName().str();
  }
  std::string name = "literal." + hasher.finish().hex().substr(0, 16);
  const uint32_t copies = literal_names_[name]++;
  return copies ? name + "." + std::to_string(copies) : name;
}

SymbolId UnitLowering::symbol(const llvm::GlobalValue& given) {
  const llvm::GlobalValue* value = &given;
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(value))
    if (const llvm::GlobalObject* object = alias->getAliaseeObject()) value = object;
  const auto found = symbols_.find(value);
  if (found != symbols_.end()) return found->second;
  const SymbolId id(static_cast<uint32_t>(unit.symbols.size()));
  symbols_[value] = id;
  const bool function = llvm::isa<llvm::FunctionType>(value->getValueType());
  program::Symbol made;
  made.name = symbol_name(*value);
  made.kind = function ? program::SymbolKind::Function : program::SymbolKind::Variable;
  made.internal = value->hasLocalLinkage();
  made.weak = value->isWeakForLinker() || value->hasAvailableExternallyLinkage();
  made.visibility = visibility_of(*value);
  unit.symbols.push_back(std::move(made));
  return id;
}

const std::vector<Leaf>& UnitLowering::leaves(llvm::Type* type) {
  const auto found = leaves_.find(type);
  if (found != leaves_.end()) return found->second;
  std::vector<Leaf> made;
  add_leaves(type, 0, made);
  uint32_t slot = 0;
  for (Leaf& leaf : made) {
    leaf.slot = slot;
    slot += leaf.slots;
  }
  return leaves_[type] = std::move(made);
}

uint32_t UnitLowering::slot_count(llvm::Type* type) {
  const std::vector<Leaf>& all = leaves(type);
  return all.empty() ? 0 : all.back().slot + all.back().slots;
}

void UnitLowering::add_leaves(llvm::Type* type, uint64_t offset, std::vector<Leaf>& out) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (structure->isOpaque()) return;
    const llvm::StructLayout* fields = layout.getStructLayout(structure);
    for (unsigned n = 0; n < structure->getNumElements(); ++n)
      add_leaves(structure->getElementType(n), offset + fields->getElementOffset(n).getFixedValue(), out);
    return;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t n = 0; n < array->getNumElements(); ++n) add_leaves(array->getElementType(), offset + n * size, out);
    return;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const uint64_t bits = layout.getTypeSizeInBits(vector->getElementType()).getFixedValue();
    for (unsigned n = 0; n < vector->getNumElements(); ++n)
      add_leaves(vector->getElementType(), offset + n * bits / 8, out);
    return;
  }
  if (type->isVoidTy() || !type->isSized()) return;
  Leaf leaf;
  leaf.offset = offset;
  leaf.bits = static_cast<uint32_t>(layout.getTypeSizeInBits(type).getFixedValue());
  if (type->isPointerTy())
    leaf.kind = LeafKind::Pointer;
  else if (type->isIntegerTy())
    leaf.kind = leaf.bits <= 128 ? LeafKind::Integer : LeafKind::Other;
  else if (type->isFloatTy() || type->isDoubleTy() || type->isX86_FP80Ty())
    leaf.kind = LeafKind::Float;
  else
    leaf.kind = LeafKind::Other;
  leaf.slots = std::max<uint32_t>(1, (leaf.bits + 63) / 64);
  out.push_back(leaf);
}

const std::vector<const llvm::BasicBlock*>& UnitLowering::addressed_blocks(const llvm::Function& function) {
  const auto found = addressed_.find(&function);
  if (found != addressed_.end()) return found->second;
  std::vector<const llvm::BasicBlock*> blocks;
  for (const llvm::BasicBlock& block : function)
    if (block.hasAddressTaken()) blocks.push_back(&block);
  return addressed_[&function] = std::move(blocks);
}

uint64_t UnitLowering::block_number(const llvm::BasicBlock& block) {
  const auto& blocks = addressed_blocks(*block.getParent());
  return static_cast<uint64_t>(std::find(blocks.begin(), blocks.end(), &block) - blocks.begin()) + 1;  // 0 is null
}

std::optional<ScalarConstant> UnitLowering::scalar(const llvm::Constant* constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    const llvm::APInt& bits = number->getValue();
    if (bits.getBitWidth() > 128) return std::nullopt;
    return ScalarConstant{{}, bits.getRawData()[0], bits.getNumWords() > 1 ? bits.getRawData()[1] : 0};
  }
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 128) return std::nullopt;
    return ScalarConstant{{}, bits.getRawData()[0], bits.getNumWords() > 1 ? bits.getRawData()[1] : 0};
  }
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return ScalarConstant{};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    uint64_t offset = 0;
    if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(global)) {
      const auto target = scalar(alias->getAliasee());
      if (target) return target;
    }
    return ScalarConstant{symbol(*global), offset};
  }
  if (const auto* label = llvm::dyn_cast<llvm::BlockAddress>(constant))
    return ScalarConstant{{}, block_number(*label->getBasicBlock())};
  if (const auto* same = llvm::dyn_cast<llvm::DSOLocalEquivalent>(constant)) return scalar(same->getGlobalValue());
  if (const auto* same = llvm::dyn_cast<llvm::NoCFIValue>(constant)) return scalar(same->getGlobalValue());
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  if (!expression) return std::nullopt;
  if (const auto value = scalar_of_expression(*expression)) return value;
  const llvm::Constant* folded = llvm::ConstantFoldConstant(constant, layout);
  return folded && folded != constant ? scalar(folded) : std::nullopt;
}

std::optional<ScalarConstant> UnitLowering::scalar_of_expression(const llvm::ConstantExpr& expression) {
  const uint64_t width = layout.getTypeSizeInBits(expression.getType()).getFixedValue();
  const uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  switch (expression.getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      const auto base = scalar(expression.getOperand(0));
      llvm::APInt offset(layout.getIndexTypeSizeInBits(expression.getType()), 0);
      if (!base || !llvm::cast<llvm::GEPOperator>(&expression)->accumulateConstantOffset(layout, offset)) break;
      return ScalarConstant{base->symbol, base->value + static_cast<uint64_t>(offset.getSExtValue())};
    }
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::Trunc: {
      auto inner = scalar(expression.getOperand(0));
      if (!inner || (inner->symbol.valid() && width < 64)) break;
      if (!inner->symbol.valid()) inner->value &= mask;
      return inner;
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      const auto left = scalar(expression.getOperand(0)), right = scalar(expression.getOperand(1));
      if (!left || !right || width > 64) break;
      const bool subtract = expression.getOpcode() == llvm::Instruction::Sub;
      if (left->symbol.valid() && right->symbol.valid()) {
        if (!subtract || left->symbol != right->symbol) break;
        return ScalarConstant{{}, (left->value - right->value) & mask};
      }
      if (right->symbol.valid() && subtract) break;
      const uint64_t sum = subtract ? left->value - right->value : left->value + right->value;
      const SymbolId base = left->symbol.valid() ? left->symbol : right->symbol;
      return ScalarConstant{base, base.valid() ? sum : sum & mask};
    }
    default: break;
  }
  return std::nullopt;
}

bool UnitLowering::write_constant(const llvm::Constant* constant, uint64_t offset, program::Global& out) {
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return true;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    const llvm::StringRef bytes = data->getRawDataValues();
    if (offset + bytes.size() > out.initialiser.size()) return false;
    std::memcpy(out.initialiser.data() + offset, bytes.data(), bytes.size());
    return true;
  }
  if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant)) {
    llvm::Type* type = aggregate->getType();
    for (unsigned n = 0; n < aggregate->getNumOperands(); ++n) {
      uint64_t at = offset;
      if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        at += layout.getStructLayout(structure)->getElementOffset(n).getFixedValue();
      } else {
        at += n * layout.getTypeAllocSize(aggregate->getOperand(n)->getType()).getFixedValue();
      }
      if (!write_constant(aggregate->getOperand(n), at, out)) return false;
    }
    return true;
  }
  const uint64_t size = layout.getTypeStoreSize(constant->getType()).getFixedValue();
  if (offset + size > out.initialiser.size()) return false;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant)) {  // of any width
    const llvm::APInt bits = number->getValue().zextOrTrunc(static_cast<unsigned>(size * 8));
    std::memcpy(out.initialiser.data() + offset, bits.getRawData(), size);
    return true;
  }
  const std::optional<ScalarConstant> known = scalar(constant);
  if (!known) return false;
  if (known->symbol.valid()) {
    if (size != 8) return false;
    out.relocations.push_back({offset, known->symbol, static_cast<int64_t>(known->value)});
    return true;
  }
  const uint64_t words[2] = {known->value, known->high};
  std::memcpy(out.initialiser.data() + offset, words, std::min<uint64_t>(size, 16));
  return true;
}

void UnitLowering::lower_global(const llvm::GlobalVariable& global) {
  program::Global out;
  out.symbol = symbol(global);
  out.display_name = unit.symbols[out.symbol.value].name;
  out.place = PlaceId(0);
  out.size = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
  out.alignment = static_cast<uint32_t>(layout.getPreferredAlign(&global).value());
  if (const llvm::MaybeAlign align = global.getAlign()) out.alignment = static_cast<uint32_t>(align->value());
  out.constant = global.isConstant();
  out.thread_local_storage = global.isThreadLocal();
  out.section = global.getSection().str();
  out.string_literal = global.isConstant() && global.hasPrivateLinkage() && global.getName().starts_with(".str");
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
  global.getDebugInfo(descriptions);
  if (!descriptions.empty()) {
    const llvm::DIGlobalVariable* variable = descriptions[0]->getVariable();
    if (!out.string_literal && !variable->getName().empty()) out.display_name = variable->getName().str();
    const auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(variable->getScope());
    if (const llvm::DISubprogram* function = scope ? scope->getSubprogram() : nullptr;
        function && !out.string_literal) {
      out.display_name = function->getName().str() + "::" + out.display_name;  // static in a function
      const auto known =
          facts.definitions.find(function->getLinkageName().empty() ? function->getName() : function->getLinkageName());
      if (known != facts.definitions.end()) out.in_project = !known->second.system;
    }
    out.place = debug.place(debug.file(variable->getFile()), variable->getLine(), 0);
    out.type = debug.type(variable->getType());
  }
  describe(global.getName().str(), out.display_name, out.place, out.in_project, nullptr);
  // Most of a large variable is zero.
  out.initialiser.resize(out.size <= kLargeBytes ? out.size : bytes_before_zeros(*global.getInitializer(), layout));
  write_constant(global.getInitializer(), 0, out);
  const bool zero = std::all_of(out.initialiser.begin(), out.initialiser.end(), [](uint8_t byte) { return byte == 0; });
  if (zero && out.relocations.empty()) out.initialiser.clear();
  unit.globals.push_back(std::move(out));
}

void UnitLowering::lower_aliases() {
  const auto add = [&](const llvm::GlobalAlias& alias, const llvm::GlobalObject& target) {
    program::Symbol made;  // within this unit, uses of an alias name its target
    made.name = alias.getName().str();
    made.kind = llvm::isa<llvm::Function>(target) ? program::SymbolKind::Function : program::SymbolKind::Variable;
    made.internal = alias.hasLocalLinkage();
    made.weak = alias.isWeakForLinker();
    made.visibility = visibility_of(alias);
    unit.symbols.push_back(std::move(made));
    unit.aliases.push_back({SymbolId(static_cast<uint32_t>(unit.symbols.size() - 1)), symbol(target)});
  };
  for (const llvm::GlobalAlias& alias : module.aliases())
    if (const llvm::GlobalObject* object = alias.getAliaseeObject()) add(alias, *object);
  for (const llvm::GlobalIFunc& indirect : module.ifuncs()) {
    // Known only if the resolver always returns the same function.
    const llvm::Function* resolver = indirect.getResolverFunction();
    const llvm::Function* chosen = nullptr;
    bool unique = resolver != nullptr;
    if (resolver)
      for (const llvm::BasicBlock& block : *resolver)
        if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
          const auto* target = llvm::dyn_cast_or_null<llvm::Function>(end->getReturnValue());
          unique = unique && target && (!chosen || chosen == target);
          chosen = target;
        }
    if (unique && chosen) unit.aliases.push_back({symbol(indirect), symbol(*chosen)});
  }
}

void UnitLowering::lower_initialisers(const char* name, bool destructor) {
  const llvm::GlobalVariable* list = module.getGlobalVariable(name);
  if (!list || !list->hasInitializer()) return;
  const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (!entries) return;
  for (const llvm::Use& use : entries->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(use.get());
    if (!entry || entry->getNumOperands() < 2) continue;
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(entry->getOperand(0));
    const auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts());
    if (!priority || !function) continue;
    unit.initialisers.push_back({symbol(*function), static_cast<uint32_t>(priority->getZExtValue()), destructor});
  }
}

}  // namespace heddle::frontend
