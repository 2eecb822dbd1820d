// Holds the state of lowering one function. Internal to lower_*.cc.
//
// In:      a function of a module after Heddle's passes.
// Out:     a program::Function with its code, pools, locals and places.
// Cost:    near linear in the function.
// Owns:    its tables; refers to the unit's lowering, the function and the result.
// Threads: one per compile.
// Fails:   never: an instruction without a counterpart becomes Unsupported with a message.
#pragma once

#include "server/frontend/lower/lowering.h"

namespace heddle::frontend {

using program::Opcode;

// A scalar operand: a slot, or a number that fits an immediate form.
struct Operand {
  bool number = false;
  uint64_t value = 0;  // zero-extended
  Slot slot = 0;
};

class FunctionLowering {
 public:
  FunctionLowering(UnitLowering& unit, const llvm::Function& source, program::Function& out);
  void run();

 private:
  struct Address {
    Slot base = 0;
    int64_t offset = 0;
  };
  struct Edge {  // out of line: moves for the phis of `to`, then a jump
    const llvm::BasicBlock* from;
    const llvm::BasicBlock* to;
    uint32_t label;
    program::PlaceId place;
  };
  struct DebugValue {
    const llvm::DILocalVariable* variable;
    uint32_t index;            // into code
    std::optional<Slot> slot;  // none: the value is in no slot from here on
    uint32_t block_end = 0;
  };

  // Blocks and edges (lower_function.cc)
  std::vector<const llvm::BasicBlock*> block_order() const;
  void lower_parameters();
  void prepare_phis();
  void prepare_stack_objects();
  void lower_block(const llvm::BasicBlock& block, const llvm::BasicBlock* next);
  void lower_terminator(const llvm::Instruction& end, const llvm::BasicBlock* next);
  void lower_switch(const llvm::SwitchInst& end);
  void lower_edges();
  uint32_t label_of(const llvm::BasicBlock* block);
  uint32_t edge_label(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  void copy_phis(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  void jump(uint32_t label);
  void bind(uint32_t label) { labels_[label] = static_cast<uint32_t>(out_.code.size()); }
  void resolve_labels();
  void note_debug_values(const llvm::Instruction& instruction);
  std::vector<Slot> written_slots() const;  // per instruction, the first slot it writes; kNoSlot if none
  void finish_locals(const std::vector<Slot>& written, const Renumbering& renumbering);  // lower_locals.cc
  void finish_local(const llvm::DILocalVariable& variable, const std::vector<Slot>& value_at,
                    const Renumbering& renumbering);

  // Values (lower_values.cc)
  Slot fresh(uint32_t count);
  Slot result(const llvm::Value& value);  // new slots that hold it
  void alias(const llvm::Value& value, Slot slot) { slots_[&value] = slot; }
  Slot value(const llvm::Value* value);  // its first slot
  Slot element(const llvm::Value* value, const Leaf& leaf) { return this->value(value) + leaf.slot; }
  Operand operand(const llvm::Value* value, uint32_t lane = 0);
  Slot slot_of(const Operand& operand);
  void materialise(const llvm::Constant* constant, Slot to);
  Slot number(uint64_t value);
  Address address(const llvm::Value* pointer);
  bool only_accessed(const llvm::GetElementPtrInst& gep);
  bool folds_into_accesses(const llvm::GetElementPtrInst& gep);
  bool folds_into_index(const llvm::Value& value);

  // Instructions (lower_instruction.cc, lower_memory.cc, lower_call.cc, lower_intrinsic.cc)
  void lower(const llvm::Instruction& instruction);
  void lower_binary(const llvm::BinaryOperator& instruction);
  void lower_wide_binary(const llvm::BinaryOperator& instruction, Slot to, Slot left, Slot right, uint32_t bits);
  void lower_compare(const llvm::ICmpInst& instruction);
  void lower_float_compare(const llvm::FCmpInst& instruction);
  void lower_cast(const llvm::CastInst& instruction);
  void lower_cast_lane(const llvm::CastInst& instruction, const Leaf& from, const Leaf& to, Slot source, Slot target);
  void lower_bitcast(const llvm::Value& instruction, const llvm::Value* source);
  std::vector<Slot> pack(llvm::Type* type, Slot given);
  void lower_select(const llvm::SelectInst& instruction);
  void lower_vector(const llvm::Instruction& instruction);
  Slot changeable_slots(const llvm::Instruction& instruction, const llvm::Value* whole);
  uint32_t slot_before(llvm::Type* type, llvm::ArrayRef<unsigned> indices);
  void lower_extract(const llvm::ExtractElementInst& instruction);
  void lower_insert(const llvm::InsertElementInst& instruction);
  void lower_shuffle(const llvm::ShuffleVectorInst& instruction);
  void lower_gep(const llvm::GetElementPtrInst& instruction);
  void lower_alloca(const llvm::AllocaInst& instruction);
  void lower_load(const llvm::LoadInst& instruction);
  void lower_store(const llvm::StoreInst& instruction);
  void load_bytes(Slot to, Address from, uint32_t bits, uint8_t flags);
  void store_bytes(Address to, Slot from, uint32_t bits, uint8_t flags);
  void lower_update(const llvm::AtomicRMWInst& instruction);
  void lower_exchange(const llvm::AtomicCmpXchgInst& instruction);
  void lower_call(const llvm::CallBase& call);
  program::Argument lower_argument(const llvm::CallBase& call, unsigned n, bool fixed, bool is_line);
  void emit_direct_call(const llvm::CallBase& call, const llvm::GlobalValue& callee, Slot to, int64_t site);
  void note_result(const llvm::CallBase& call, const llvm::GlobalValue& callee, uint32_t site, uint8_t& flags);
  uint32_t landing_pad(const llvm::LandingPadInst& pad);
  void lower_assembly(const llvm::CallBase& call);
  void lower_outputs(const llvm::CallBase& call, const llvm::InlineAsm& assembly);
  void lower_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_integer_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_float_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_reduction(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_memory_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  // The bits of a float as lower_class_test compares them.
  struct FloatPattern {
    Slot sign = 0, magnitude = 0;  // 0 or 1; the bits without the sign
    uint32_t width = 0;            // of the magnitude
    uint64_t infinity = 0, least_normal = 0, quiet = 0;
  };
  FloatPattern float_pattern(Slot number, uint32_t bits);
  Slot with_constant(Opcode op, uint32_t width, Slot from, uint64_t constant);
  void lower_class_test(const llvm::CallBase& call);
  void unsupported(const llvm::Value& value, const std::string& what);
  void undefined(Slot first, uint32_t count);

  // Code
  void emit(Opcode op, uint32_t width, Slot dst, uint32_t a = 0, uint32_t b = 0, int64_t imm = 0, uint8_t flags = 0);
  void move(Slot to, Slot from, uint32_t count = 1);
  // `with_slot` or its immediate form, whichever the right operand allows.
  void emit_binary(Opcode with_slot, uint32_t width, Slot dst, Slot left, const Operand& right);
  Slot mask_of(uint32_t bits);

  UnitLowering& unit_;
  const llvm::Function& source_;
  program::Function& out_;
  llvm::DenseMap<const llvm::Value*, Slot> slots_;
  llvm::DenseMap<const llvm::Value*, int64_t> displacements_;  // of addresses that are only accessed
  std::vector<SlotGroup> groups_;
  Slot next_slot_ = 0;
  std::vector<uint32_t> labels_;  // label -> code index
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> block_labels_;
  std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, uint32_t> edge_labels_;
  llvm::DenseMap<const llvm::LandingPadInst*, uint32_t> landing_pads_;
  std::vector<Edge> edges_;
  llvm::DenseMap<const llvm::AllocaInst*, const llvm::DILocalVariable*> declared_;
  std::vector<DebugValue> debug_values_;
  std::map<uint32_t, std::pair<std::string, program::TypeId>> results_;  // described ones, by index into out_.calls
  program::PlaceId place_{0};
  std::optional<uint32_t> null_target_;  // label of the trap that a null label leads to
  const llvm::BasicBlock* block_ = nullptr;
};

// Orders and kinds shared by plain and intrinsic forms.
program::MemoryOrder memory_order(llvm::AtomicOrdering ordering);
constexpr uint32_t lane_width(const Leaf& leaf) { return leaf.kind == LeafKind::Pointer ? 64 : leaf.bits; }

}  // namespace heddle::frontend
