#include "server/frontend/lower/assembly_text.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend {
namespace {

constexpr std::array<llvm::StringLiteral, 16> kSized = {"mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or",
                                                        "xor", "inc",  "dec",  "not",     "bt",  "bts", "btr", "btc"};

unsigned bits_of_suffix(char suffix) {
  switch (suffix) {
    case 'b': return 8;
    case 'w': return 16;
    case 'l': return 32;
    case 'q': return 64;
    default: return 0;
  }
}

void take_name(llvm::StringRef word, AssemblyStep& step) {
  const auto known = [](llvm::StringRef name) { return std::find(kSized.begin(), kSized.end(), name) != kSized.end(); };
  const bool condition = word.starts_with("set");
  const unsigned bits = word.empty() || condition || known(word) ? 0 : bits_of_suffix(word.back());
  if (bits != 0 && known(word.drop_back())) {
    step.bits = bits;
    word = word.drop_back();
  }
  step.name = known(word) || condition || word.ends_with("fence") ? word.str() : "?";
}

// The register that a name is a part of, and the bits of that part; 0: none that is known here.
unsigned take_register(llvm::StringRef name, std::string& to) {
  unsigned bits = name.consume_front("r") ? 64 : name.consume_front("e") ? 32 : 16;
  if (bits == 16 && name.consume_back("l")) {
    bits = 8;
    to = name.str() + (name.size() == 1 ? "x" : "");
  } else {
    to = name.str();
  }
  static constexpr llvm::StringLiteral kRegisters[] = {"ax", "bx", "cx", "dx", "si", "di"};
  return std::find(std::begin(kRegisters), std::end(kRegisters), to) == std::end(kRegisters) ? 0 : bits;
}

AssemblyOperand operand_of(llvm::StringRef text, AssemblyStep& step) {
  AssemblyOperand operand;
  const bool pointer = text.consume_front("(") && text.consume_back(")");
  operand.dereferenced = pointer;
  int64_t number = 0;
  if (text.consume_front("$$")) {
    if (!pointer && !text.getAsInteger(0, number)) operand.number = number;
  } else if (text.consume_front("$")) {
    if (text.consume_front("{")) text = text.take_until([](char c) { return c == ':' || c == '}'; });
    if (text.getAsInteger(10, operand.index)) operand.index = ~0u;
  } else if (text.consume_front("%")) {
    std::string name;
    const unsigned bits = take_register(text.ltrim(), name);
    if (bits == 0) return operand;
    operand.name = name;
    if (step.bits == 0 && !pointer) step.bits = bits;
  }
  return operand;
}

void take_step(llvm::StringRef text, bool& locked, std::vector<AssemblyStep>& to) {
  text = text.trim();
  if (text.consume_front("lock")) {
    locked = true;
    text = text.trim();
  }
  if (text.empty() || text == "nop" || text == "pause" || text == "rep nop" || text == "rep") return;
  AssemblyStep step;
  step.locked = std::exchange(locked, false);
  const size_t end = text.find_first_of(" \t");
  take_name(text.take_front(end), step);
  llvm::SmallVector<llvm::StringRef, 4> operands;
  if (end != llvm::StringRef::npos) text.drop_front(end).split(operands, ',');
  for (const llvm::StringRef operand : operands) step.operands.push_back(operand_of(operand.trim(), step));
  to.push_back(std::move(step));
}

}  // namespace

std::vector<AssemblyStep> steps_of(const std::string& text) {
  std::vector<AssemblyStep> steps;
  llvm::SmallVector<llvm::StringRef, 8> lines;
  llvm::StringRef(text).split(lines, '\n');
  bool locked = false;
  for (const llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef, 8> parts;
    line.split('#').first.split(parts, ';');
    for (const llvm::StringRef part : parts) take_step(part, locked, steps);
  }
  return steps;
}

}  // namespace heddle::frontend
