// Lowers an LLVM module to a Unit. Internal to this folder.
//
// In:      a module after Heddle's passes, AST facts, the path of the main file and its directory.
// Out:     a Unit without its hashes.
// Cost:    near linear in the module; slots are assigned per function.
// Owns:    its tables; refers to the module and the facts, which must outlive the lowering.
// Threads: one per compile.
// Fails:   never: what has no counterpart becomes an Unsupported instruction with a message.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/reuse/source_facts.h"
#include "server/program/unit.h"

namespace heddle::frontend {

using program::Slot;

program::Unit lower_module(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
                           const std::string& directory);

// One scalar of a (perhaps aggregate) value: its place in memory and in the slots of the value.
enum class LeafKind : uint8_t { Integer, Pointer, Float, Other };
struct Leaf {
  LeafKind kind = LeafKind::Integer;
  uint32_t bits = 0;
  uint64_t offset = 0;
  uint32_t slot = 0;
  uint32_t slots = 1;
};

// A constant scalar: a number, or the address of a symbol plus a number.
struct ScalarConstant {
  program::SymbolId symbol;  // none: a plain number
  uint64_t value = 0, high = 0;
};

// Files, places and types of a unit, from debug information.
class DebugTables {
 public:
  DebugTables(program::Unit& unit, std::string directory, const llvm::DataLayout& layout);
  program::FileId file(const std::string& path);  // made absolute
  program::FileId file(const llvm::DIFile* file);
  program::PlaceId place(const llvm::DebugLoc& location);
  program::PlaceId place(program::FileId file, uint32_t line, uint32_t column);
  program::TypeId type(const llvm::DIType* type);
  program::TypeId type(const ResultFact& fact);

 private:
  void fill(program::TypeId id, const llvm::DIType* type, const std::string& alias);
  void fill_composite(program::Type& made, const llvm::DICompositeType* type, const std::string& alias);
  void fill_array(program::Type& made, const llvm::DICompositeType* type);

  program::Unit& unit_;
  std::string directory_;
  std::map<std::string, program::FileId> files_;
  llvm::DenseMap<const llvm::DIFile*, program::FileId> debug_files_;
  std::map<program::Place, program::PlaceId> places_;
  llvm::DenseMap<const llvm::DIType*, program::TypeId> types_;
  std::map<std::pair<std::string, program::TypeKind>, program::TypeId> result_types_;
};

class UnitLowering {
 public:
  UnitLowering(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
               const std::string& directory);
  program::Unit run();

  program::SymbolId symbol(const llvm::GlobalValue& value);
  const std::vector<Leaf>& leaves(llvm::Type* type);
  uint32_t slot_count(llvm::Type* type);
  std::optional<ScalarConstant> scalar(const llvm::Constant* constant);
  std::optional<ScalarConstant> scalar_of_expression(const llvm::ConstantExpr& expression);
  uint64_t block_number(const llvm::BasicBlock& block);  // value of &&label
  const std::vector<const llvm::BasicBlock*>& addressed_blocks(const llvm::Function& function);

  const llvm::Module& module;
  const llvm::DataLayout& layout;
  const SourceFacts& facts;
  program::Unit unit;
  DebugTables debug;

 private:
  void lower_global(const llvm::GlobalVariable& global);
  void lower_aliases();
  void lower_initialisers(const char* name, bool destructor);
  bool write_constant(const llvm::Constant* constant, uint64_t offset, program::Global& out);
  void add_leaves(llvm::Type* type, uint64_t offset, std::vector<Leaf>& out);
  std::string symbol_name(const llvm::GlobalValue& value);
  void describe(const std::string& link_name, std::string& display_name, program::PlaceId& place, bool& in_project,
                std::vector<program::Statement>* statements);

  llvm::DenseMap<const llvm::GlobalValue*, program::SymbolId> symbols_;
  std::map<std::string, uint32_t> literal_names_;
  std::unordered_map<llvm::Type*, std::vector<Leaf>> leaves_;  // references into it stay valid
  std::unordered_map<const llvm::Function*, std::vector<const llvm::BasicBlock*>> addressed_;
};

// Lowers one function into `out`. Each value has slots of its own; assign_slots() packs them.
void lower_function(UnitLowering& unit, const llvm::Function& function, program::Function& out);

// A value in numbered slots: `count` consecutive slots from `first`.
struct SlotGroup {
  Slot first = 0;
  uint32_t count = 1;
};

// Gives groups that are never live together the same slots (the first `pinned` groups keep theirs), then drops moves
// and jumps that do nothing and code that nothing reaches. Returns the renumbering for references from outside.
inline constexpr Slot kNoSlot = 0xffffffffu;
struct Renumbering {
  std::vector<Slot> slots;        // old -> new; kNoSlot: never written or read
  std::vector<uint32_t> indices;  // old code index -> new; of dropped code, the next one kept. One entry more than code
};
Renumbering assign_slots(program::Function& function, const std::vector<SlotGroup>& groups, uint32_t pinned);

// Runs Heddle's pass pipeline, in passes.cc (server/frontend/README.md says why these passes).
void run_passes(llvm::Module& module);

}  // namespace heddle::frontend
