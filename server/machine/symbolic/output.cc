// Calls that only show their arguments: a value that depends on an input is printed as it is for the inputs at hand,
// and stays unknown. The program does not see what was printed, unless it reads the call's result.
#include <algorithm>
#include <array>

#include "server/machine/symbolic/values.h"
#include "server/program/operands.h"

namespace heddle::machine {
namespace {

enum class Result : uint8_t { Length, Printed, Success };  // what the call returns says this of its arguments
struct Printer {
  std::string_view name;
  Result result;
  int stream = -1;  // the argument that is a FILE; none: standard output or standard error
};
constexpr Printer kPrinters[] = {
    {"__fprintf_chk", Result::Length, 0},  {"__printf_chk", Result::Length},
    {"__vfprintf_chk", Result::Length, 0}, {"__vprintf_chk", Result::Length},
    {"fprintf", Result::Length, 0},        {"fputc", Result::Printed, 1},
    {"fputs", Result::Success, 1},         {"fwrite", Result::Success, 3},
    {"perror", Result::Success},           {"printf", Result::Length},
    {"putc", Result::Printed, 1},          {"putchar", Result::Printed},
    {"putchar_unlocked", Result::Printed}, {"puts", Result::Success},
    {"vfprintf", Result::Length, 0},       {"vprintf", Result::Length},
};

const Printer* printer_at(const Machine::State& s, const Thread& t) {
  const Decoded& d = s.image_->code[t.pc];
  const bool named = d.code == Code::CallBuiltin || d.code == Code::CallVisible || d.code == Code::CallVariadic;
  if (!named) return nullptr;
  const Callee& callee = s.image_->calls[static_cast<size_t>(d.imm)].callee;
  if (callee.kind != Callee::Kind::Builtin && callee.kind != Callee::Kind::Visible) return nullptr;
  const std::string& name = s.image_->program->externals()[callee.index].name;
  const auto* found = std::find_if(std::begin(kPrinters), std::end(kPrinters),
                                   [&](const Printer& printer) { return printer.name == name; });
  return found == std::end(kPrinters) ? nullptr : found;
}

// Some code after `at` reads `slot` before it is written again.
bool is_read_after(const program::Function& function, uint32_t at, program::Slot slot) {
  std::vector<bool> seen(function.code.size());
  std::vector<uint32_t> open;
  const auto visit = [&](uint32_t next) {
    if (next >= seen.size() || seen[next]) return;
    seen[next] = true;
    open.push_back(next);
  };
  const auto follow = [&](uint32_t from) {
    const program::Instruction& i = function.code[from];
    program::for_each_target(function, i, visit);
    if (!program::is_terminator(i.op)) visit(from + 1);
  };
  follow(at);
  while (!open.empty()) {
    const uint32_t next = open.back();
    open.pop_back();
    bool reads = false, writes = false;
    const auto covers = [&](program::Slot first, uint32_t count) { return first <= slot && slot < first + count; };
    program::for_each_use(function, function.code[next], [&](auto first, uint32_t n) { reads |= covers(first, n); });
    if (reads) return true;
    program::for_each_definition(function, function.code[next],
                                 [&](auto first, uint32_t n) { writes |= covers(first, n); });
    if (!writes) follow(next);
  }
  return false;
}

}  // namespace

bool shows_only(const Machine::State& s, const Thread& t) {
  const Printer* const printer = printer_at(s, t);
  if (printer == nullptr) return false;
  const CallInfo& call = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  if (printer->stream >= 0) {
    const auto argument = static_cast<size_t>(printer->stream);
    if (argument >= call.site->arguments.size()) return false;
    const uint64_t stream = t.stack[t.fp + call.site->arguments[argument].slot];
    const auto is = [&](std::string_view name) {
      const auto found = s.process_objects_.find(name);
      return found != s.process_objects_.end() && stream == uint64_t{found->second} << 32;
    };
    if (!is("heddle.stream.1") && !is("heddle.stream.2")) return false;
  }
  const CodeAddress at = s.image_->address(t.pc);
  const program::Function& function = s.image_->program->function(at.function);
  const program::Instruction& i = s.image_->program->instruction(at);
  if (i.width == 0 || printer->result == Result::Success) return true;
  const auto known = s.symbols_->result_is_read.find(at);
  if (known != s.symbols_->result_is_read.end()) return !known->second;
  const bool is_read = is_read_after(function, at.index, i.dst);
  s.symbols_->result_is_read.emplace(at, is_read);
  return !is_read;
}

// std::cout, std::cerr and std::clog.
bool is_standard_output(const Machine::State& s, uint64_t stream) {
  const Object* const o = s.memory_.find(stream);
  if (o->kind != ObjectKindHost::Global || static_cast<uint32_t>(stream) != 0) return false;
  const auto& all = s.image_->standard_streams;
  return std::any_of(all.begin(), all.end(), [&](const StandardStream& known) {
    return known.global == o->made_at && known.name != "std::cin" && known.name != "std::wcin";
  });
}

}  // namespace heddle::machine
