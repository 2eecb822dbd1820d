// Represents a translation unit in Heddle's own form: functions, variables, symbols, types for display, places.
//
// In:      filled by server/frontend from one compile, or by serialise.h and select.h.
// Out:     plain data that can be printed (print.h), hashed (hash.h) and stored (serialise.h). Sizes and offsets are in
//          bytes; lines and columns count from 1, 0 means unknown.
// Owns:    everything by value. A finished unit is shared as shared_ptr<const Unit>.
// Threads: immutable once finished, readable anywhere.
// Fails:   never; nothing here checks indices (see verify()).
// From:    our own format, made from LLVM's code and independent of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/program/ids.h"
#include "server/program/instruction.h"

namespace heddle::program {

// 128-bit content hash. Heddle treats contents with equal hashes as equal.
struct Hash {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Hash&) const = default;
  std::string hex() const;  // 32 lower-case digits
  static std::optional<Hash> from_hex(std::string_view text);
};

struct Place {
  FileId file;
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Place&) const = default;
};

struct Range {  // of source text; end is exclusive in columns
  FileId file;
  uint32_t begin_line = 0, begin_column = 0, end_line = 0, end_column = 0;
  auto operator<=>(const Range&) const = default;
};

enum class SymbolKind : uint8_t { Function, Variable };
enum class Visibility : uint8_t { Default, Protected, Hidden };  // outside the program or library it is linked into

// A name as the linker sees it. Symbols with internal linkage bind only within their unit.
struct Symbol {
  std::string name;  // link name
  SymbolKind kind = SymbolKind::Function;
  bool internal = false;
  bool weak = false;  // a definition that yields to a strong one, or a reference that may stay undefined
  Visibility visibility = Visibility::Default;
  bool operator==(const Symbol&) const = default;
};

// How an argument is passed; one entry per argument of a call.
struct Argument {
  Slot slot = 0;       // first slot of the value
  uint16_t slots = 1;  // how many it takes (aggregates, 128-bit)
  uint16_t bytes = 8;  // size in a variadic area, before rounding up to 8
  uint16_t alignment = 8;
  bool is_float = false;
  uint32_t by_value = 0;  // > 0: slot holds the address of by_value bytes that are the argument itself. The
                          // lowering has already made the callee's private copy for non-variadic positions.
  bool operator==(const Argument&) const = default;
};

inline constexpr uint32_t kNoUnwind = 0xffffffffu;

struct CallSite {
  std::vector<Argument> arguments;
  uint32_t fixed = 0;  // number of named parameters of the callee's type; the rest is variadic
  bool variadic = false;
  uint16_t result_slots = 0;
  bool no_return = false;
  uint32_t unwind = kNoUnwind;  // where an exception that leaves the callee continues: an index into Function::code
  uint32_t landing_pad = 0;     // what is caught there: an index into Function::landing_pads
  bool operator==(const CallSite&) const = default;
};

// One clause of a landing pad. A catch clause has one type (none: catches everything); a filter lists the types that
// an exception specification lets through.
struct CatchClause {
  bool filter = false;
  std::vector<SymbolId> types;  // of their typeinfo objects
  bool operator==(const CatchClause&) const = default;
};

struct LandingPad {
  std::vector<CatchClause> clauses;  // in order
  bool cleanup = false;              // also entered when no clause matches: destructors run, then Resume
  bool terminates = false;           // ends the program: the function is noexcept
  bool operator==(const LandingPad&) const = default;
};

struct SwitchTable {
  std::vector<uint64_t> values;   // parallel to targets
  std::vector<uint32_t> targets;  // indices into Function::code
  uint32_t default_target = 0;
  uint8_t width = 32;
  bool operator==(const SwitchTable&) const = default;
};

// A local variable or temporary that lives in memory.
struct StackObject {
  std::string name;  // source name; empty for temporaries
  uint64_t size = 0;
  uint32_t alignment = 1;
  TypeId type;
  PlaceId place;  // where it was declared
  bool operator==(const StackObject&) const = default;
};

// A local variable or parameter that lives in a slot, for showing values.
struct LocalVariable {
  std::string name;
  Slot slot = 0;
  uint32_t begin = 0, end = 0;  // valid for code indices in [begin, end)
  TypeId type;
  bool operator==(const LocalVariable&) const = default;
};

enum class StatementKind : uint8_t { Function, Compound, If, Loop, Switch, Return, Declaration, Expression, Other };

// One source statement of a function body, from the AST. Statements nest by their ranges; listed in source order,
// outer before inner. Index 0 is the function body.
struct Statement {
  StatementKind kind = StatementKind::Other;
  Range range;
  bool operator==(const Statement&) const = default;
};

struct Function {
  SymbolId symbol;
  std::string display_name;      // as the user writes it
  PlaceId place;                 // of the name in its definition
  uint32_t parameter_slots = 0;  // parameters occupy slots 0 .. parameter_slots-1 of the frame
  uint32_t result_slots = 0;
  uint32_t frame_slots = 0;
  bool variadic = false;
  bool in_project = true;         // false: from a system header
  std::vector<Instruction> code;  // code[0] is the entry
  std::vector<PlaceId> places;    // parallel to code
  std::vector<CallSite> calls;
  std::vector<SwitchTable> switches;
  std::vector<LandingPad> landing_pads;
  std::vector<StackObject> stack_objects;
  std::vector<std::string> unsupported;
  std::vector<LocalVariable> locals;
  std::vector<Statement> statements;
  Hash hash;  // of its effect: code, pools and the names of used symbols; not of places, names of locals, statements
};

struct Relocation {
  uint64_t offset = 0;  // into the initialiser: 8 bytes there hold symbol + addend
  SymbolId symbol;
  int64_t addend = 0;
  bool operator==(const Relocation&) const = default;
};

struct Global {
  SymbolId symbol;
  std::string display_name;
  PlaceId place;
  TypeId type;
  uint64_t size = 0;
  uint32_t alignment = 1;
  bool constant = false;
  bool thread_local_storage = false;
  bool string_literal = false;
  bool in_project = true;
  std::vector<uint8_t> initialiser;  // up to `size` bytes; what follows is zero
  std::vector<Relocation> relocations;
  std::string section;  // that the text names
  Hash hash;            // of size, alignment, flags, initialiser, section and the names of relocated symbols
};

enum class TypeKind : uint8_t {
  Unknown,
  Integer,
  Unsigned,
  Boolean,
  Character,
  Float,
  Pointer,
  Enumeration,
  Array,
  Record,
  Union,
  Function
};

// A source type as far as showing values and access paths needs it.
struct Type {
  TypeKind kind = TypeKind::Unknown;
  std::string name;    // "struct queue", "int"
  uint64_t size = 0;   // bytes
  TypeId element;      // Array: element; Pointer: pointee; Enumeration: underlying
  uint64_t count = 0;  // Array
  struct Field {
    std::string name;
    uint64_t offset = 0;
    TypeId type;
    uint32_t bit_size = 0;
    bool operator==(const Field&) const = default;
  };
  std::vector<Field> fields;                                 // Record, Union
  std::vector<std::pair<std::string, int64_t>> enumerators;  // Enumeration
  bool operator==(const Type&) const = default;
};

// Functions run before main (constructor attribute, C++ globals) or at exit.
struct Initialiser {
  SymbolId function;
  uint32_t priority = 65535;
  bool destructor = false;
  bool operator==(const Initialiser&) const = default;
};

// A second name for something the unit defines.
struct Alias {
  SymbolId symbol, target;
  bool operator==(const Alias&) const = default;
};

struct Unit {
  std::string path;                // main file, as in the compile command, made absolute
  std::vector<std::string> files;  // FileId -> path; project files absolute
  std::vector<Place> places;       // PlaceId -> place; PlaceId 0 is the unknown place
  std::vector<Symbol> symbols;
  std::vector<Function> functions;
  std::vector<Global> globals;
  std::vector<Type> types;
  std::vector<Initialiser> initialisers;
  std::vector<Alias> aliases;
  Hash content;  // of everything that execution depends on
  Hash flags;    // of the compile command

  const Place& place(PlaceId id) const { return places[id.valid() ? id.value : 0]; }
};

using UnitPtr = std::shared_ptr<const Unit>;

}  // namespace heddle::program
