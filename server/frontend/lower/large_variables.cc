#include "server/frontend/lower/large_variables.h"

#include <llvm/IR/DebugInfoMetadata.h>

#include <string>

namespace heddle::frontend {
namespace {

constexpr uint64_t kVariableMost = uint64_t{2} << 30;  // an object's size is one half of a guest's address
constexpr uint64_t kValueMost = uint64_t{256} << 20;

std::string megabytes(uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

Diagnostic error_at(const llvm::GlobalVariable& global, const std::string& main_file, const std::string& what) {
  Diagnostic out{Severity::Error, main_file, 0, 0, "the variable '" + global.getName().str() + "' " + what};
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
  global.getDebugInfo(descriptions);
  if (descriptions.empty()) return out;
  const llvm::DIGlobalVariable* variable = descriptions[0]->getVariable();
  out.line = variable->getLine();
  if (const llvm::DIFile* file = variable->getFile(); file && file->getFilename().starts_with("/"))
    out.path = file->getFilename().str();
  return out;
}

}  // namespace

uint64_t bytes_before_zeros(const llvm::Constant& value, const llvm::DataLayout& layout) {
  if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return 0;
  const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(&value);
  if (!aggregate) return layout.getTypeAllocSize(value.getType()).getFixedValue();
  const auto* structure = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
  for (unsigned n = aggregate->getNumOperands(); n-- > 0;) {
    const llvm::Constant& element = *aggregate->getOperand(n);
    const uint64_t bytes = bytes_before_zeros(element, layout);
    if (bytes == 0) continue;
    return bytes +
           (structure
                ? layout.getStructLayout(const_cast<llvm::StructType*>(structure))->getElementOffset(n).getFixedValue()
                : n * layout.getTypeAllocSize(element.getType()).getFixedValue());
  }
  return 0;
}

std::vector<Diagnostic> too_large_variables(const llvm::Module& module, const std::string& main_file) {
  std::vector<Diagnostic> out;
  const llvm::DataLayout& layout = module.getDataLayout();
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (!global.hasInitializer()) continue;
    const uint64_t size = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
    if (size >= kVariableMost) {
      out.push_back(error_at(
          global, main_file,
          "has " + megabytes(size) + ": variables of less than " + megabytes(kVariableMost) + " can be explored"));
    } else if (size > kValueMost && bytes_before_zeros(*global.getInitializer(), layout) > kValueMost) {
      out.push_back(error_at(global, main_file,
                             "has a first value of more than " + megabytes(kValueMost) +
                                 ": only zeros may follow the first " + megabytes(kValueMost)));
    }
  }
  return out;
}

}  // namespace heddle::frontend
