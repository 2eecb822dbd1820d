// The decoded program: what the interpreter runs.
//
// In:      a linked program and its facts.
// Out:     one array of operations of equal size; constants, symbols and calls resolved; initial objects.
// Cost:    linear, about 20 ns an instruction.
// Owns:    its arrays; shares the program and the facts.
// Threads: any; immutable after make_image().
// Fails:   never; what cannot be resolved becomes an operation that faults when it is reached.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/analysis/library.h"
#include "server/machine/library/builtin.h"
#include "server/machine/machine.h"
#include "server/machine/memory/object.h"

namespace heddle::machine {

enum class Code : uint16_t {
#define HEDDLE_CODE(Name) Name,
#include "server/machine/code/code.def"
#undef HEDDLE_CODE
};

// Decoded::flags
inline constexpr uint8_t kDecides = 1;     // Load, call: the value decides a branch, a switch or an address
inline constexpr uint8_t kLocal = 2;       // provably thread-local memory
inline constexpr uint8_t kCopies = 8;      // Load, call: the next store of the thread stores the value
inline constexpr uint8_t kResult = 16;     // Load, call: the value is what the function returns
inline constexpr uint8_t kQuiet = 32;      // and nothing is stored in between
inline constexpr uint8_t kLibrary = 64;    // in a function that is not the project's own
inline constexpr uint8_t kHandedOn = 128;  // call: the function returns the pointer and says nothing of its type

struct Decoded {
  Code code = Code::Nop;
  uint8_t width = 0;
  uint8_t flags = 0;
  uint32_t dst = 0, a = 0, b = 0;
  int64_t imm = 0;
};
static_assert(sizeof(Decoded) == 24);

struct VisibleRow;  // sync.h

// What a call or a function pointer leads to.
struct Callee {
  enum class Kind : uint8_t { Function, Builtin, Visible, Unknown } kind = Kind::Unknown;
  uint32_t index = 0;  // function, or external
  Builtin builtin = nullptr;
  const VisibleRow* visible = nullptr;
  uint8_t variables = 0;  // the place in Image::variable_uses of the library's variables that it uses unasked
};

struct FunctionInfo {
  uint32_t begin = 0;                                               // first operation
  uint32_t original = 0;                                            // first entry in Image::decoded_of
  uint32_t parameter_slots = 0, frame_slots = 0, result_slots = 0;  // frames have kDirectSlots at least
  bool variadic = false;
  bool in_project = true;
  bool of_atomics = false;        // of the atomics library
  bool adds_for_library = false;  // where std::counting_semaphore adds, and std::latch subtracts
  bool counts_latch_down = false;
  bool inserts_number = false;  // std::ostream::_M_insert
  uint64_t semaphore_most = 0;  // release() of a std::counting_semaphore with this maximum
};

inline constexpr uint32_t kDirectSlots = 4;
struct alignas(64) CallInfo {  // all that a call of a function needs in one line of the cache
  Callee callee;               // not of indirect calls
  const program::CallSite* site = nullptr;
  uint32_t first_slot = 0, slots = 0;        // into Image::argument_slots: the named arguments, flattened
  uint32_t frame_slots = 0;                  // of the callee of a Code::Call, whose Decoded::a is where it begins
  uint16_t direct_slots[kDirectSlots] = {};  // of a Code::Call: the first of the slots; any, where there are fewer
};
static_assert(sizeof(CallInfo) == 64);

struct SwitchInfo {
  uint64_t lowest = 0;
  std::vector<int32_t> dense;  // indexed by value - lowest; targets are absolute
  std::vector<std::pair<uint64_t, int32_t>> sorted;
  int32_t otherwise = 0;
  std::vector<int32_t> targets;  // of an indirect jump
};

// A standard stream of C++, and where its std::ios_base begins.
struct StandardStream {
  uint32_t global = 0, base = 0;
  std::string_view name = {};
};

// What a variable begins with; all bytes after it are zero.
struct InitialBytes {
  uint64_t at = 0, size = 0;
};

inline constexpr uint32_t kThreadEndCode = 1, kBuiltinReturnCode = 3;  // each after a pseudo call with dst 0

class Image {
 public:
  program::ProgramPtr program;
  analysis::FactsPtr facts;
  std::vector<Decoded> code;
  std::vector<uint64_t> addresses;   // parallel to code: CodeAddress bits
  std::vector<uint32_t> decoded_of;  // original index -> index into code; see FunctionInfo::original
  std::vector<FunctionInfo> functions;
  std::vector<CallInfo> calls;
  std::vector<uint32_t> argument_slots;
  std::vector<SwitchInfo> switches;
  std::vector<Callee> externals;              // ExternalId -> what it is
  std::vector<const DataRow*> external_data;  // ExternalId -> library variable, or null
  std::vector<uint32_t> first_name;           // ExternalId -> itself, or another name of the same variable
  std::vector<Object> objects;                // functions, externals, globals; number = index
  uint64_t data_bytes = 0;                    // of all global objects, which a machine has as one block
  std::vector<uint64_t> data_offsets;         // GlobalId -> into that block
  std::vector<uint8_t> initial;               // bytes of the globals that do not begin as zeros
  std::vector<InitialBytes> initial_of;       // GlobalId -> into initial
  std::vector<uint32_t> thread_local_globals;
  std::vector<uint32_t> constructors, destructors;  // functions in running order
  bool cancels = false;                             // pthread_cancel is used: cancellation points are scheduling points
  bool names_rooms = false;                         // __heddle_room() is called (library/fortify.cc)
  bool interrupts = false;                          // a signal may interrupt any thread (sync/interruption.cc)
  std::vector<CodeAddress> shared_with_handlers;    // in such programs: plain accesses that are scheduling points
  library::HiddenStates shared_states = 0;          // what the library keeps, and several threads use
  std::vector<StandardStream> standard_streams;     // std::cout and its like
  std::vector<bool> sets_format;                    // FunctionId -> see stream_format.cc; empty without such streams
  uint16_t shared_variables = 0;                    // likewise, of library::kVariables
  std::vector<library::VariableUse> variable_uses = {{}};
  std::vector<std::string> shared_thread_states;  // what the library keeps for one thread, and another one reaches
  bool sections = false;                          // __VERIFIER_atomic_begin is used
  bool reads_clock = false;                       // a function of the program does
  bool relaxed_stores = false;                    // there are relaxed atomic stores
  uint32_t main_function = program::FunctionId::kNone;
  program::FunctionId replaced_new, replaced_delete;  // the program's own operator new and delete
  Callee exit_function;                               // the library's exit()
  std::vector<UnknownExternal> unknown, sampled;

  uint32_t object_of_function(uint32_t f) const { return 1 + f; }
  uint32_t object_of_external(uint32_t e) const { return 1 + function_count() + e; }
  uint32_t object_of_global(uint32_t g) const { return 1 + function_count() + external_count() + g; }
  uint32_t function_count() const { return program->function_count(); }
  uint32_t external_count() const { return static_cast<uint32_t>(program->externals().size()); }
  CodeAddress address(uint32_t at) const { return CodeAddress::from_bits(addresses[at]); }
  uint32_t decoded(CodeAddress at) const { return decoded_of[functions[at.function.value].original + at.index]; }
  // Address of a symbol; 0 for a weak one that nothing defines.
  uint64_t symbol_address(program::Binding binding) const;
  // False if the pointer is no function pointer.
  bool callee_of(uint64_t pointer, Callee& callee) const;
  // Into zeros.
  void fill_initial(uint32_t global, uint8_t* to) const {
    const InitialBytes& bytes = initial_of[global];
    std::copy_n(initial.data() + bytes.at, bytes.size, to);
  }
};

void decode_functions(Image& image);       // decode.cc
void lay_out_objects(Image& image);        // image.cc
void find_standard_streams(Image& image);  // stream_format.cc

}  // namespace heddle::machine
