#include "server/program/hash.h"

#include <algorithm>
#include <array>

#include "server/base/content_hash.h"

namespace heddle::program {
namespace {

// The next state of a chain: what came before, and one piece.
template <size_t N>
base::ContentHash chained(const std::array<uint64_t, N>& words) {
  return base::content_hash({reinterpret_cast<const char*>(words.data()), sizeof words});
}

void add_symbol(Hasher& hasher, const Unit& unit, SymbolId id) {
  hasher.text(id.value < unit.symbols.size() ? std::string_view(unit.symbols[id.value].name) : std::string_view("?"));
}

void add_code(Hasher& hasher, const Unit& unit, const Function& function) {
  hasher.number(function.code.size());
  for (const Instruction& i : function.code) {
    const OpcodeInfo& info = opcode_info(i.op);
    const bool symbol = info.a == OperandRole::kSymbol;
    hasher.number(static_cast<uint64_t>(i.op) | uint64_t{i.width} << 16 | uint64_t{i.flags} << 24 |
                  uint64_t{i.dst} << 32);
    hasher.number((symbol ? 0 : uint64_t{i.a}) | uint64_t{i.b} << 32);
    hasher.number(static_cast<uint64_t>(i.imm));
    if (symbol) add_symbol(hasher, unit, SymbolId(i.a));
  }
}

void add_landing_pads(Hasher& hasher, const Unit& unit, const Function& function) {
  hasher.number(function.landing_pads.size());
  for (const LandingPad& pad : function.landing_pads) {
    hasher.number(pad.cleanup).number(pad.terminates).number(pad.clauses.size());
    for (const CatchClause& clause : pad.clauses) {
      hasher.number(clause.filter).number(clause.types.size());
      for (const SymbolId type : clause.types) add_symbol(hasher, unit, type);
    }
  }
}

void add_pools(Hasher& hasher, const Function& function) {
  hasher.number(function.calls.size());
  for (const CallSite& call : function.calls) {
    hasher.number(call.fixed).number(call.variadic).number(call.result_slots).number(call.no_return);
    hasher.number(call.unwind).number(call.landing_pad);
    hasher.number(call.arguments.size());
    for (const Argument& a : call.arguments)
      hasher.number(a.slot).number(a.slots).number(a.bytes).number(a.alignment).number(a.is_float).number(a.by_value);
  }
  hasher.number(function.switches.size());
  for (const SwitchTable& table : function.switches) {
    hasher.number(table.values.size()).number(table.targets.size());
    for (uint64_t value : table.values) hasher.number(value);
    for (uint32_t target : table.targets) hasher.number(target);
    hasher.number(table.default_target).number(table.width);
  }
  hasher.number(function.stack_objects.size());
  for (const StackObject& object : function.stack_objects) hasher.number(object.size).number(object.alignment);
  hasher.number(function.unsupported.size());
  for (const std::string& message : function.unsupported) hasher.text(message);
}

Hash hash_function(const Unit& unit, const Function& function) {
  Hasher hasher;
  hasher.number(function.parameter_slots).number(function.result_slots).number(function.frame_slots);
  hasher.number(function.variadic);
  add_code(hasher, unit, function);
  add_pools(hasher, function);
  add_landing_pads(hasher, unit, function);
  return hasher.finish();
}

Hash hash_global(const Unit& unit, const Global& global) {
  Hasher hasher;
  hasher.number(global.size).number(global.alignment).number(global.constant).number(global.thread_local_storage);
  hasher.number(global.initialiser.size()).bytes(global.initialiser.data(), global.initialiser.size());
  hasher.number(global.relocations.size());
  for (const Relocation& relocation : global.relocations) {
    hasher.number(relocation.offset).number(static_cast<uint64_t>(relocation.addend));
    add_symbol(hasher, unit, relocation.symbol);
  }
  if (!global.section.empty()) hasher.text(global.section);
  return hasher.finish();
}

// One definition with everything that decides how it binds.
Hash hash_definition(const Unit& unit, SymbolId id, const Hash& content, uint64_t tag) {
  Hasher hasher;
  hasher.number(tag);
  add_symbol(hasher, unit, id);
  if (id.value < unit.symbols.size()) {
    const Symbol& symbol = unit.symbols[id.value];
    hasher.number(static_cast<unsigned>(symbol.visibility) * 4 + symbol.internal * 2 + symbol.weak);
  }
  return hasher.hash(content).finish();
}

}  // namespace

Hasher& Hasher::number(uint64_t value) {
  ++count_;
  const base::ContentHash next = chained(std::array{a_, b_, value});
  a_ = next.high, b_ = next.low;
  return *this;
}

Hasher& Hasher::bytes(const void* data, size_t size) {
  ++count_;
  const base::ContentHash piece = base::content_hash({static_cast<const char*>(data), size});
  const base::ContentHash next = chained(std::array{a_, b_, piece.high, piece.low, uint64_t{size}});
  a_ = next.high, b_ = next.low;
  return *this;
}

Hasher& Hasher::text(std::string_view value) { return bytes(value.data(), value.size()); }

Hash Hasher::finish() const {
  const base::ContentHash last = chained(std::array{a_, b_, count_});
  return {last.high, last.low};
}

Hash hash_bytes(std::string_view data) {
  const base::ContentHash hash = base::content_hash(data);
  return {hash.high, hash.low};
}

std::string Hash::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int n = 0; n < 16; ++n) {
    text[static_cast<size_t>(15 - n)] = kDigits[high >> (4 * n) & 15];
    text[static_cast<size_t>(31 - n)] = kDigits[low >> (4 * n) & 15];
  }
  return text;
}

std::optional<Hash> Hash::from_hex(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  Hash result;
  for (size_t n = 0; n < 32; ++n) {
    const char c = text[n];
    uint64_t digit;
    if (c >= '0' && c <= '9')
      digit = static_cast<uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<uint64_t>(c - 'a' + 10);
    else
      return std::nullopt;
    uint64_t& word = n < 16 ? result.high : result.low;
    word = word << 4 | digit;
  }
  return result;
}

void compute_hashes(Unit& unit) {
  // Sorted, so that moving a definition within its file changes nothing.
  std::vector<Hash> parts;
  for (Function& function : unit.functions) {
    function.hash = hash_function(unit, function);
    parts.push_back(hash_definition(unit, function.symbol, function.hash, 1));
  }
  for (Global& global : unit.globals) {
    global.hash = hash_global(unit, global);
    parts.push_back(hash_definition(unit, global.symbol, global.hash, 2));
  }
  for (const Alias& alias : unit.aliases) {
    Hasher target;
    add_symbol(target, unit, alias.target);
    parts.push_back(hash_definition(unit, alias.symbol, target.finish(), 3));
  }
  std::sort(parts.begin(), parts.end());
  Hasher hasher;
  hasher.number(parts.size());
  for (const Hash& part : parts) hasher.hash(part);
  hasher.number(unit.initialisers.size());  // in order: they run in it
  for (const Initialiser& initialiser : unit.initialisers) {
    add_symbol(hasher, unit, initialiser.function);
    hasher.number(initialiser.priority).number(initialiser.destructor);
  }
  unit.content = hasher.finish();
}

}  // namespace heddle::program
