#include "server/detect/describe.h"

#include <algorithm>
#include <cctype>

#include "server/library/function.h"
#include "server/program/identity_hash.h"
#include "server/program/print.h"

namespace heddle::detect {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;
using program::CodeAddress;

std::string function_name(const program::Program& program, program::FunctionId function) {
  if (!function.valid() || function.value >= program.function_count()) return "";
  const program::Function& found = program.function(function);
  return found.display_name.empty() ? program.stable_name(function) : found.display_name;
}

std::string stable_function(const Machine& machine, CodeAddress at) {
  if (!at.function.valid() || at.function.value >= machine.program().function_count()) return "?";
  return machine.program().stable_name(at.function);
}

std::string thread_role(const Machine& machine, ThreadId thread) {
  const program::FunctionId entry = machine.entry_function(thread);
  if (!entry.valid()) return "";
  if (!program::project_entry(machine.program(), entry).valid())  // known by a pointer that the thread was given
    for (const program::FunctionId given : machine.given_functions(thread))
      if (program::project_entry(machine.program(), given).valid())
        return program::entry_name(machine.program(), given);
  return program::entry_name(machine.program(), entry);
}

std::string thread_label(const Machine& machine, ThreadId thread) {
  const std::string name = machine.thread_name(thread), role = thread_role(machine, thread);
  // "worker 1 (worker)" says nothing more.
  return role.empty() || role == name || name.starts_with(role + " ") ? name : name + " (" + role + ")";
}

SourcePlace place_of(const Machine& machine, CodeAddress at, ThreadId thread, std::string role) {
  SourcePlace result;
  const program::Program& program = machine.program();
  if (at.function.valid() && at.function.value < program.function_count()) {
    const program::Place& place = program.place(at);
    result.file = program.file_of(at);
    result.line = place.line;
    result.column = place.column;
    result.function = function_name(program, at.function);
  }
  if (thread.valid()) result.thread = thread_label(machine, thread);
  result.role = std::move(role);
  return result;
}

namespace {

// A function of a template library as people call it: "std::vector<...>::push_back".
std::string without_long_arguments(const std::string& name) {
  constexpr size_t kShort = 12;
  std::string result;
  for (size_t at = 0; at < name.size();) {
    const bool opens = name[at] == '<' && !result.ends_with("operator") && !result.ends_with("operator<");
    size_t end = at;
    for (int depth = 0; opens && end < name.size(); ++end) {
      depth += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
      if (depth == 0) break;
    }
    if (!opens || end == name.size() || end - at < kShort) {
      result += name[at++];
      continue;
    }
    result += "<...>";
    at = end + 1;
  }
  return result;
}

// Of a thread in library code that has not come to the project's own yet: where that started it.
CodeAddress start_of(const Machine& machine, CodeAddress at, ThreadId thread) {
  const auto own = [&](CodeAddress where) {
    return where.function.valid() && machine.program().function(where.function).in_project;
  };
  if (!thread.valid() || !at.function.valid() || own(at)) return {};
  for (const machine::Event& event : machine.events())
    if (event.operation.kind == OperationKind::Create && event.operation.object.bits == thread.value)
      return own(event.user) ? event.user : own(event.operation.at) ? event.operation.at : CodeAddress{};
  return {};
}

}  // namespace

SourcePlace user_place(const Machine& machine, CodeAddress at, CodeAddress user, ThreadId thread, std::string role) {
  if (!user.function.valid()) user = start_of(machine, at, thread);
  if (!user.function.valid()) return place_of(machine, at, thread, std::move(role));
  const program::Program& program = machine.program();
  const std::string file = program.file_of(at), inside = function_name(program, at.function);
  if (inside.starts_with("heddle_")) return place_of(machine, user, thread, std::move(role));  // of a model or driver
  role += std::string(role.empty() ? "" : " ") + "in " + without_long_arguments(inside) + " (" +
          file.substr(file.rfind('/') + 1) + ":" + std::to_string(program.place(at).line) + ")";
  return place_of(machine, user, thread, std::move(role));
}

std::string called_function(const Machine& machine, CodeAddress user, CodeAddress at) {
  const program::Program& program = machine.program();
  const program::Instruction& call = program.instruction(user);
  if (call.op == program::Opcode::Call) {
    const program::Binding binding = program.binding(user.function, program::SymbolId(call.a));
    if (binding.kind == program::BindingKind::Function)
      return without_long_arguments(function_name(program, program::FunctionId(binding.id)));
    if (binding.kind == program::BindingKind::External) return program.externals()[binding.id].name;
  }
  return without_long_arguments(function_name(program, at.function));
}

std::string quoted(const std::string& name) { return name.find('\'') != std::string::npos ? name : "'" + name + "'"; }

std::string_view library_call(const Machine& machine, CodeAddress at) {
  if (!at.function.valid()) return "";
  const program::Program& program = machine.program();
  const program::Instruction& call = program.instruction(at);
  if (call.op != program::Opcode::Call) return "";
  const program::Binding binding = program.binding(at.function, program::SymbolId(call.a));
  return binding.kind == program::BindingKind::External ? program.externals()[binding.id].name : std::string_view();
}

std::string_view verb_of_call(const Machine& machine, CodeAddress at) {
  const library::Function* const row = library::find_row(library_call(machine, at));
  return row == nullptr ? std::string_view() : row->verb;
}

std::string_view object_kind(OperationKind kind) {
  switch (machine::family_of(kind)) {
    case machine::OperationFamily::Mutex: return "mutex";
    case machine::OperationFamily::ReadWriteLock: return "rwlock";
    case machine::OperationFamily::Condition: return "condition variable";
    case machine::OperationFamily::Futex: return "futex";
    case machine::OperationFamily::Semaphore: return "semaphore";
    case machine::OperationFamily::Barrier: return "barrier";
    case machine::OperationFamily::Once: return "once";
    default: return "";
  }
}

std::string kind_and_name(const Machine& machine, std::string_view kind, machine::Pointer object, uint32_t size) {
  const std::string name = quoted(machine.name_of(object, size));
  if (kind.empty() || name.front() != '\'') return name;
  return std::string(kind) + " " + name;
}

std::string object_text(const Machine& machine, const Operation& operation) {
  if (operation.kind == OperationKind::Create || operation.kind == OperationKind::Join ||
      operation.kind == OperationKind::Detach || operation.kind == OperationKind::Cancel) {
    return "thread " + thread_label(machine, ThreadId(static_cast<uint32_t>(operation.object.bits)));
  }
  return kind_and_name(machine, object_kind(operation.kind), operation.object, operation.size);
}

namespace {

// Which of the function's calls of the same callee it is.
std::string call_ordinal(const program::Program& program, CodeAddress at) {
  const auto& code = program.function(at.function).code;
  uint32_t before = 0;
  for (uint32_t n = 0; n < at.index && n < code.size(); ++n)
    before += code[n].op == program::Opcode::Call && code[n].a == code[at.index].a;
  return program.stable_name(at.function) + "#" + std::to_string(before);
}

// "malloc@list.c:14" -> "malloc@list.c", "(lambda at src/a.cc:3:7)" -> "(lambda at a.cc)".
std::string without_lines_and_folders(std::string_view text) {
  std::string out;
  const auto is_digit = [&](size_t n) {
    return n < text.size() && std::isdigit(static_cast<unsigned char>(text[n])) != 0;
  };
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '/' && (n == 0 || text[n - 1] == ' ' || text[n - 1] == '(')) {
      const size_t end = std::min(text.find_first_of(" )", n), text.size());
      n = text.rfind('/', end - 1);
      continue;
    }
    if (text[n] != ':' || !is_digit(n + 1) || (n > 0 && text[n - 1] == ':')) {
      out += text[n];
      continue;
    }
    while (is_digit(n + 1)) ++n;
  }
  return out;
}

// "malloc@list.c:14#3+8" -> "malloc@list.c:14+8": an edit that allocates more changes the numbers.
std::string without_block_number(std::string name) {
  const size_t site = name.find('@'), mark = site == name.npos ? site : name.find('#', site);
  if (mark != name.npos) name.erase(mark, std::min(name.find_first_not_of("0123456789", mark + 1), name.size()) - mark);
  return name;
}

}  // namespace

std::string stable_object(const Machine& machine, machine::Pointer object) {
  const std::string name = without_block_number(machine.name_of(object, 1));
  const analysis::ObjectId part = machine.facts() == nullptr ? analysis::ObjectId{} : machine.static_object(object);
  if (!part.valid()) return name;
  const auto& objects = machine.facts()->objects;
  const analysis::ObjectId whole = objects[part.value].whole;
  const analysis::Object& made = objects[whole.valid() ? whole.value : part.value];
  if (!made.site.function.valid()) return name;
  if (made.kind == analysis::ObjectKind::Stack) return machine.program().stable_name(made.site.function) + "::" + name;
  return made.kind == analysis::ObjectKind::Heap ? call_ordinal(machine.program(), made.site) + " " + name : name;
}

std::string identity(std::string_view rule, std::span<const std::string> parts) {
  program::IdentityHasher hasher;
  hasher.text(rule);
  for (const std::string& part : parts) hasher.text(without_lines_and_folders(part));
  return hasher.finish().hex().substr(0, 12);
}

}  // namespace heddle::detect
