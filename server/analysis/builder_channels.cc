// Pointers that leave memory and come back: as bytes through a descriptor or a stream, as printed text, as halves or as a
// product of numbers. One abstract cell stands for all of it, so what comes back is anything that ever left.
#include <algorithm>

#include "server/analysis/builder.h"
#include "server/library/link_names.h"

namespace heddle::analysis {

using library::Flag;
using program::Opcode;

namespace {

constexpr int64_t kPointer = 8;
// Of a length that no constant says, no larger object is looked through: a buffer of text.
constexpr int64_t kPassedMost = 256;

bool is_printed(const library::Function& row) { return row.format >= 0 && !row.has(Flag::Parses); }

}  // namespace

Node Builder::outside() {
  if (outside_ == kNothing) {
    const Cell cell = solver.make_object(0, nullptr, {}, true);
    objects.push_back({.kind = ObjectKind::Unknown, .name = "what was written elsewhere"});
    outside_ = address_node(cell);
    const Node contents = solver.make_node();
    solver.load(outside_, 0, contents);
    escaping.push_back(contents);
  }
  return outside_;
}

// Only then does it matter what is printed.
bool Builder::parses() {
  if (!parses_) {
    const std::vector<program::External>& externals = program.externals();
    parses_ = std::any_of(externals.begin(), externals.end(), [](const program::External& external) {
      const library::Function* row = library::find_function(external.name);
      return row != nullptr && row->has(Flag::Parses);
    });
  }
  return *parses_;
}

// The memory that argument `n` leads to, out or in. `length` -1: not known.
void Builder::carry(Address at, uint32_t n, int64_t length, bool out) {
  const Node memory = argument(at, n);
  if (memory == kNothing || (length >= 0 && length < kPointer)) return;
  if (length >= 0) {
    out ? solver.copy_memory(outside(), memory, length) : solver.copy_memory(memory, outside(), length);
    return;
  }
  const bool in_project = program.function(at.function).in_project;
  solver.watch_offsets(memory, [this, out, in_project](Cell cell, int64_t offset) {
    int64_t size = static_cast<int64_t>(solver.shape(cell).size);
    if (size == 0 && !in_project) size = kPassedMost;  // a block of the library, for the parts of writev()
    if (offset == kUnknownOffset) offset = 0;
    if (offset < 0 || size > kPassedMost || size - offset < kPointer) return;
    const Node place = solver.make_node();
    solver.add(place, solver.location(cell, offset));
    out ? solver.copy_memory(outside(), place, size - offset) : solver.copy_memory(place, outside(), size - offset);
  });
}

// Each number that is printed may be an address; of a list of arguments, what is in it.
void Builder::print(Address at, const library::Function& row, size_t arguments) {
  const bool list = row.name.starts_with("v") || row.name.starts_with("__v");
  for (uint32_t n = static_cast<uint32_t>(row.format) + 1; n < arguments; ++n) {
    const Node printed = argument(at, n);
    if (printed == kNothing) continue;
    if (!list) {
      solver.store(outside(), 0, printed);
      continue;
    }
    const Node area = solver.make_node(), number = solver.make_node();
    solver.load(printed, 0, area);
    solver.load(area, 0, number);
    solver.store(outside(), 0, number);
  }
}

void Builder::parse(Address at, const library::Function& row, size_t arguments) {
  const Node number = solver.make_node();
  solver.load(outside(), 0, number);
  copy(number, result(at));
  for (uint32_t n = 0; n < arguments; ++n)
    if (const Node to = argument(at, n);
        to != kNothing && (row.writes >> std::min(n, 15u) & 1) && row.stores_at != static_cast<int>(n))
      solver.store(to, 0, number);
}

// The argument after the memory; of fread() and fwrite(), whose memory comes first, times the number of elements. -1: not
// known.
int64_t Builder::length_carried(Address at, uint32_t n) const {
  const std::optional<int64_t> size = constant_of(at, n + 1), count = n == 0 ? constant_of(at, 2) : 1;
  constexpr int64_t kMost = int64_t{1} << 30;
  if (!size || !count || *size < 0 || *size > kMost || *count < 0 || *count > kMost) return -1;
  return *size * *count;
}

void Builder::use_channels(Address at, const library::Function& row, const program::CallSite& site) {
  const size_t arguments = site.arguments.size();
  for (uint32_t n = 0; n < arguments && n < 15; ++n) {
    if (row.carried.out >> n & 1) carry(at, n, length_carried(at, n), true);
    if (row.carried.in >> n & 1) carry(at, n, length_carried(at, n), false);
    if (row.through >> n & 1) use_through(at, n);
  }
  if (is_printed(row) && parses()) print(at, row, arguments);
  if (row.has(Flag::Parses)) parse(at, row, arguments);
}

// A library function that is guest text is called.
void Builder::use_channels(Address at, FunctionId callee) {
  const std::string& name = link_name(callee);
  if (const library::Function* row = library::find_row(name)) {
    const Function& caller = program.function(at.function);
    use_channels(at, *row, caller.calls[static_cast<size_t>(caller.code[at.index].imm)]);
  } else if (name == "send" || name == "recv") {
    carry(at, 1, constant_of(at, 2).value_or(-1), name == "send");
  } else if (library::writes_digits(name) && parses()) {
    if (const Node number = argument(at, 2); number != kNothing) solver.store(outside(), 0, number);
  }
}

// The text that a pointer in memory leads to, as getline() and strtok_r() use it.
void Builder::use_through(Address at, uint32_t n) {
  const Node place = argument(at, n);
  if (place == kNothing) return;
  const Node pointer = solver.make_node(), text = solver.make_node();
  solver.load(place, 0, pointer);
  solver.unknown_offset(pointer, text);
  access(at, library::kStatesChanged, text);
}

// In the project. Half of an address, or a multiple of it, is none; what is put together again may be.
void Builder::pieces(Address at, const program::Instruction& i) {
  const Node into = result(at);
  switch (i.op) {
    case Opcode::Truncate:
      if (const Node from = value(at, i.a); from != kNothing && i.width >= 8) copy(from, pieces_);
      break;
    case Opcode::ShlI:
      if (i.width == 64) copy(pieces_, into);
      break;
    case Opcode::Mul:
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::MulI:
    case Opcode::UDivI:
    case Opcode::SDivI:
      if (i.width != 64) break;
      if (const Node from = value(at, i.a); from != kNothing) solver.unknown_offset(from, into);
      if (i.op == Opcode::Mul)
        if (const Node from = value(at, i.b); from != kNothing) solver.unknown_offset(from, into);
      break;
    case Opcode::WideBinary:
      for (uint32_t k = 0; k < 4; ++k)
        if (const Node from = value(at, (k < 2 ? i.a : i.b) + k % 2); from != kNothing)
          for (uint32_t n = 0; n < 2; ++n) solver.unknown_offset(from, result(at, n));
      break;
    default: break;
  }
}

}  // namespace heddle::analysis
