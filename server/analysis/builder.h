// Translates code into points-to constraints, while it discovers the functions that main can reach. Internal to this
// folder.
//
// In:      a linked program.
// Out:     after run(): solved points-to sets of address operands and call arguments, call edges, thread creations,
//          abstract objects.
// Owns:    the solver, the graphs and all tables; refers to the program, which must outlive it.
// Threads: one.
// Fails:   never; `notes` names the unknown externals that are called.
#pragma once

#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/analysis/code_facts.h"
#include "server/analysis/points_to.h"

namespace heddle::analysis {

inline constexpr Slot kNoSlot = 0xffffffffu;

using LibraryRows = std::unordered_map<CodeAddress, const library::Function*>;  // by call of the library

class Builder {
 public:
  explicit Builder(const program::Program& program);
  void run();
  Cell cell_of(FunctionId function) const { return function_cells_[function.value]; }  // kNothing: no address taken

  struct Creation {
    CodeAddress at;
    FunctionId entry;
    auto operator<=>(const Creation&) const = default;
  };
  struct CallEdge {
    CodeAddress at;
    FunctionId callee;
    auto operator<=>(const CallEdge&) const = default;
  };
  struct LibraryCall {
    CodeAddress at;
    const library::Function* row;
    auto operator<=>(const LibraryCall&) const = default;
  };
  struct Access {
    CodeAddress at;
    uint32_t operand;
    Node node;
  };

  const program::Program& program;
  PointsTo solver;
  std::vector<Object> objects;     // by Cell
  std::vector<Cell> global_cells;  // by GlobalId
  std::unordered_map<CodeAddress, Cell> site_cells;
  std::vector<FunctionId> roots;                   // main, and what runs before it
  std::vector<bool> reached;                       // by FunctionId
  std::vector<std::unique_ptr<CodeGraph>> graphs;  // of reached functions
  std::set<CallEdge> calls;
  std::set<Creation> creations;
  std::set<FunctionId> at_exit;                       // handlers of exit(), wherever they are registered
  std::set<FunctionId> interrupting;                  // handlers of signals that may interrupt any thread
  std::map<FunctionId, std::set<FunctionId>> at_end;  // by entry of a thread: what deletes its state
  std::map<FunctionId, std::set<Node>> states;        // by entry: what a std::thread holds
  std::set<LibraryCall> library_calls;
  std::vector<Access> accesses;  // address operands and pointer arguments of library calls, in order of discovery
  std::vector<Access> passed;    // arguments of calls of defined functions
  std::set<std::string> notes;
  Node thread_results = 0;
  // Of library::kSharedStates, by their place there, once a function is called that uses it. Main's return uses exit handlers.
  std::array<Cell, std::size(library::kSharedStates)> shared_states = [] {
    std::array<Cell, std::size(library::kSharedStates)> none;
    none.fill(kNothing);
    return none;
  }();
  std::vector<Node> escaping;  // thread arguments and results: what they point to leaves its thread

  bool is_library_state(Cell cell) const;  // one of library::kSharedStates or library::kVariables

 private:
  struct FunctionNodes {
    std::vector<Node> results;  // by code index: first result node or kNothing
    Node parameters = kNothing, returns = kNothing;
    Cell variadic = kNothing;
    std::map<std::pair<Slot, std::vector<uint32_t>>, Node> meets;  // several definitions that reach one use
    std::map<std::pair<uint32_t, int64_t>, Node> indexed;          // index instruction with a displacement
    std::map<std::pair<Node, int64_t>, Node> displaced;
    std::set<uint32_t> indices;  // index instructions without one
  };
  using Address = CodeAddress;

  struct Origin {
    uint32_t use;  // the instruction that uses `slot`
    Slot slot;
    uint32_t definition;
    bool single;  // the only definition
    int64_t offset;
  };
  struct Given {
    uint32_t number;  // of the argument
    int64_t offset;
    bool loaded;  // the value stored there; otherwise the place itself
  };
  // A result that is a parameter plus a constant: std::move, std::forward and the like.
  struct Returned {
    uint32_t parameter;  // its slot
    int64_t offset;
    bool operator==(const Returned&) const = default;
  };
  struct Values {  // the constants that calls pass for a parameter
    std::set<int64_t> known;
    bool any = false;
    std::set<std::pair<FunctionId, Slot>> passed_on;  // parameters of callees that get the same
  };

  void make_globals();
  void make_initial_values();
  void reach(FunctionId function);  // with unknown arguments
  void reach_by_call(Address at, FunctionId callee);
  void begin(FunctionId function);
  void interface(FunctionId function);
  const CodeGraph& graph(FunctionId function);
  void generate(FunctionId function);
  void make_results(FunctionId function);
  void instruction(Address at, const Instruction& i);
  void arithmetic(Address at, const Instruction& i);
  void memory(Address at, const Instruction& i);
  void allocate_stack(Address at, const Instruction& i);
  bool carries_pointers(Address at, const Instruction& i) const;
  void load(Address at, const Instruction& i);
  void store(Address at, const Instruction& i);
  void update(Address at, const Instruction& i);
  std::optional<int64_t> constant_in(Address at, Slot slot) const;
  void call(Address at, const Instruction& i);
  void call_function(Address at, FunctionId callee, uint32_t without);  // bits of arguments that are passed elsewhere
  Origin origin(Address at, Slot slot);
  std::optional<Origin> loaded_from(FunctionId in, const Origin& value);
  std::vector<Given> given_by(Address at, const Origin& object);
  std::optional<Returned> returned(FunctionId function, uint32_t result);
  std::optional<Returned> returned_at(Address at, Slot slot);
  Slot parameter_at(Address at, Slot slot);
  const std::set<Slot>& selectors(FunctionId function);
  void open(FunctionId function);
  void select(Address at, FunctionId callee);
  void give(FunctionId function, Slot parameter, std::optional<int64_t> value);
  Slot launch_policy(FunctionId function);
  bool calls_named(FunctionId function, uint32_t at, std::string_view prefix) const;
  bool always_launches(FunctionId function);
  bool defers(FunctionId function, const Block& block) const;
  bool calls_plain_member(FunctionId function);
  const std::set<std::string>& described_types();
  bool asks_for_virtual(FunctionId function, uint32_t branch);
  std::vector<bool> selected(FunctionId function);
  static Slot slot_given(const program::CallSite& site, uint32_t parameter);
  bool call_through(Address at);
  void call_with(Address at, Node target, Node object, const std::vector<Given>& given);
  void call_any(Address at);
  bool fits(Address at, FunctionId callee) const;
  void index(Address at, Node from, Node to);
  bool moves_table(const Instruction& i) const;
  bool moves_pointer(Address at, const Instruction& i) const;
  Node of_class(Node objects, const std::string& type);
  bool table_is_of(Cell table, const std::string& type);
  std::vector<std::string> types_in(GlobalId global) const;
  bool step_to_base(Address at, Node from, Node to);
  bool step_to_member(Address at, Node from, Node to);
  const std::set<int64_t>& base_offsets();
  bool is_virtual_table(Cell cell) const;
  const std::string& table_name(Cell cell) const;
  const std::string& link_name(FunctionId function) const;
  void copy_memory(Address at, Node to, Node from, int64_t length);
  FunctionId replaced(std::string_view name) const;
  bool is_own_new(FunctionId function) const;
  void call_external(Address at, const std::string& name);
  void library(Address at, const library::Function& row);
  void use_states(Address at, library::HiddenStates states, uint32_t operand);
  bool redirects();  // does the program lead a standard descriptor to something else?
  bool streams_memory();
  void use_memory_of_streams(Address at, const library::Function& row);
  void use_variables(Address at, const library::Function& row);
  Node outside();
  bool parses();
  void carry(Address at, uint32_t n, int64_t length, bool out);
  int64_t length_carried(Address at, uint32_t n) const;
  void print(Address at, const library::Function& row, size_t arguments);
  void parse(Address at, const library::Function& row, size_t arguments);
  void use_channels(Address at, const library::Function& row, const program::CallSite& site);
  void use_channels(Address at, FunctionId callee);
  void use_through(Address at, uint32_t n);
  void pieces(Address at, const Instruction& i);
  Cell own_state(std::string_view name);
  bool looks_at_errno();
  void use_errno(Address at, const library::Function& row);
  void library_result(Address at, const library::Function& row);
  void library_stores(Address at, const library::Function& row, const program::CallSite& site);
  void library_meaning(Address at, const library::Function& row);
  void atomic_by_pointers(Address at, library::Meaning meaning);
  void atomic_by_values(Address at, library::Meaning meaning);
  void library_callbacks(Address at, const library::Function& row);
  void exception_call(Address at, library::Meaning meaning);
  void uncaught_call(Address at, library::Meaning meaning);
  void signal_call(Address at, const library::Function& row);
  void let_handlers_interrupt(Address set_at);
  void exit_call(Address at, library::Meaning meaning);
  const Instruction* maker_of(Address at, uint32_t n) const;
  std::string symbol_of(Address at, uint32_t n) const;
  std::optional<int64_t> constant_of(Address at, uint32_t n) const;
  bool several_bases(const program::Unit& unit, const std::string& type) const;
  void start_thread(Address at, FunctionId entry, Node data);
  void start_state(Address at);
  void call_all(Address at, Node targets, std::vector<Node> arguments);
  void call_back(Address at, FunctionId callee, const std::vector<Node>& arguments);
  Cell heap(Address at, const char* what);
  Cell external(const std::string& symbol, bool function);
  Cell function_cell(FunctionId function);
  Node value(Address at, Slot slot);
  Node address(Address at, Slot slot, int64_t offset);
  Node argument(Address at, uint32_t n, uint32_t slot = 0);
  Node result(Address at, uint32_t n = 0);
  Node address_node(Cell object);
  void access(Address at, uint32_t operand, Node node);
  void copy(Node from, Node to) {
    if (from != kNothing && to != kNothing) solver.copy(from, to);
  }

  std::vector<FunctionNodes> nodes_;
  std::vector<FunctionId> pending_;
  std::vector<Cell> function_cells_;
  std::unordered_map<std::string, Cell> external_cells_;
  std::unordered_map<Cell, std::string> external_names_;
  std::unordered_map<std::string_view, Cell> own_states_;
  std::map<CallEdge, uint32_t> missing_;  // bits: arguments that are not passed yet; the last one: and all others
  std::vector<CodeAddress> specific_sites_;
  std::vector<FunctionId> destructors_;
  std::map<std::pair<FunctionId, uint32_t>, std::optional<Returned>> returned_;
  std::map<FunctionId, std::set<Slot>> selectors_;
  std::map<std::pair<FunctionId, Slot>, Values> values_;
  std::vector<std::vector<bool>> generated_;  // by FunctionId: blocks
  std::optional<std::set<int64_t>> base_offsets_;
  std::optional<std::set<std::string>> described_types_;
  std::map<std::string, std::vector<std::string>> bases_;  // of the types that globals describe
  bool has_tables_ = false;
  std::optional<bool> redirects_, streams_memory_, parses_, looks_at_errno_, interrupts_;
  Node specifics_ = 0, memory_of_streams_ = 0;
  Node outside_ = kNothing, pieces_ = 0;  // of addresses: the cell of what left memory; halves of them
  Node exceptions_ = 0;                   // every thrown object: what any landing pad may get
  Node exception_destructors_ = 0;        // functions that end thrown objects
  bool sends_signals_ = false;            // some reached call may interrupt another thread
  std::vector<Address> handlers_set_at_;
  Node caught_ = 0;               // what handlers are given
  CodeAddress named_semaphores_;  // the first call of sem_open
  FunctionId main_;
  Node terminate_handlers_ = 0, signal_handlers_ = 0, exit_handlers_ = 0, quick_exit_handlers_ = 0;
};

}  // namespace heddle::analysis
