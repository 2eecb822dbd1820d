#include "server/engine/wire/convert.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <optional>

#include "server/analysis/object_name.h"
#include "server/disk/utf8_name.h"
#include "server/library/link_names.h"
#include "server/text/grouped.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

namespace {

// "(lambda at /home/me/pool.cc:55:15)" -> "(lambda at pool.cc:55)": no folders of a machine in names.
std::string without_folders(const std::string& text) {
  constexpr std::string_view kLambda = "lambda at ";
  std::string out;
  for (size_t at = 0;;) {
    const size_t lambda = text.find(kLambda, at);
    if (lambda == text.npos) return out + text.substr(at);
    const size_t path = lambda + kLambda.size(), line = std::min(text.find(':', path), text.size());
    const size_t slash = text.rfind('/', line), name = slash != text.npos && slash >= path ? slash + 1 : path;
    const size_t end =
        line == text.size() ? line : std::min(text.find_first_not_of("0123456789", line + 1), text.size());
    out += text.substr(at, path - at) + text.substr(name, end - name);
    at = end;
    if (at == text.size() || text[at] != ':') continue;  // else the column
    at = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
  }
}

// "f(int)::(anonymous class)::operator()()" -> "lambda in f".
std::string function_words(const std::string& name) {
  const size_t lambda = name.find("::(anonymous class)");
  if (lambda == name.npos) return without_folders(name);
  const std::string inside = name.substr(0, lambda);
  return "lambda in " + inside.substr(0, inside.find('('));
}

// Where the name begins that ends before `end`: after the ": ", " of ", ", " or quote in front of it.
size_t name_begin(const std::string& text, size_t end) {
  int depth = 0;
  for (size_t n = end; n-- > 0;) {
    if (text[n] == ')' || text[n] == '>') ++depth;
    if (text[n] == '(' || text[n] == '<') --depth;
    if (depth == 0 && ((text[n] == ' ' && n > 0) || text[n] == '\'')) return n + 1;
  }
  return 0;
}

// "new: f(int)::(anonymous class)::operator()" -> "new: lambda in f".
std::string description_words(const std::string& given) {
  constexpr std::string_view kLambda = "::(anonymous class)";
  std::string text = without_folders(given);
  for (size_t at = text.find(kLambda); at != text.npos; at = text.find(kLambda, at)) {
    const size_t begin = name_begin(text, at);
    size_t end = std::min(text.find_first_of(", '", at + kLambda.size()), text.size());
    if (const size_t made = text.find("(lambda at ", at); made != text.npos && made < end)  // its constructor
      end = std::min(text.find(')', made) + 1, text.size());
    const std::string words = function_words(text.substr(begin, end - begin));
    text.replace(begin, end - begin, words);
    at = begin + words.size();
  }
  return text;
}

// "_ZTV7Special+32" -> "a virtual table".
std::string without_tables(const std::string& text) {
  std::string out;
  for (size_t at = 0;;) {
    const size_t table = text.find(library::kVirtualTable, at);
    if (table == text.npos) return out + text.substr(at);
    out += text.substr(at, table - at) + "a virtual table";
    for (at = table; at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');) ++at;
    if (at < text.size() && text[at] == '+') at = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
  }
}

// "cache.values_", not the members of the C++ library inside of it.
std::string program_words(const std::string& given) {
  const std::string text = without_tables(without_folders(given));
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t inner = std::min(text.find("._M_", at), text.find(".__data", at));
    if (inner == text.npos) return out + text.substr(at);
    out += text.substr(at, inner - at);
    at = inner;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || std::strchr("_.+[]", text[at])))
      ++at;
  }
  return out;
}

// Without " in __gthread_mutex_lock (gthr-default.h:749)" or " in std::_Rb_tree<...>::_M_insert_node
// (stl_tree.h:2386)": names that the library keeps to itself say nothing.
std::string role_words(const std::string& role) {
  const size_t inside = role.rfind(" in ");
  const bool own = inside != role.npos && role.ends_with(')') &&
                   (role.compare(inside + 4, 2, "__") == 0 || role.find("::_", inside) != role.npos);
  return program_words(own ? role.substr(0, inside) : role);
}

v1::Place to_proto(const detect::SourcePlace& place) {
  v1::Place out;
  out.set_file(place.file);
  out.set_line(place.line);
  out.set_column(place.column);
  out.set_function(function_words(place.function));
  out.set_thread(without_folders(place.thread));
  out.set_role(role_words(place.role));
  return out;
}

v1::TraceStep to_proto(const detect::TraceStep& step) {
  v1::TraceStep out;
  out.set_thread(without_folders(step.thread));
  out.set_thread_number(step.thread_number);
  *out.mutable_place() = to_proto(step.place);
  out.set_action(step.kind == "end" ? role_words(step.action) : program_words(step.action));
  for (const std::string& lock : step.locks_held) out.add_locks_held(program_words(lock));
  out.set_switched(step.switched);
  out.set_decisive(step.decisive);
  out.set_kind(step.kind);
  out.set_library(without_folders(step.library));
  out.set_object(program_words(step.object));
  out.set_value_read(program_words(step.value_read));
  out.set_value_written(program_words(step.value_written));
  for (const uint32_t row : step.after) out.add_after(row);
  out.set_caller(step.caller);
  out.set_calls_known(step.calls_known);
  out.set_choice(step.choice);
  out.set_reads_from(step.reads_from);
  return out;
}

v1::JobCompleteness to_proto(explore::Completeness completeness) {
  switch (completeness) {
    case explore::Completeness::Complete: return v1::JOB_COMPLETE;
    case explore::Completeness::TimeLimit: return v1::JOB_TIME_LIMIT;
    case explore::Completeness::ExecutionLimit: return v1::JOB_EXECUTION_LIMIT;
    case explore::Completeness::GuestLimit: return v1::JOB_GUEST_LIMIT;
    case explore::Completeness::Cancelled: return v1::JOB_CANCELLED;
  }
  return v1::JOB_CANCELLED;
}

// Stable words for the limits of ours; they are no finding rules.
const char* limit_name(machine::FaultKind kind) {
  switch (kind) {
    case machine::FaultKind::UnknownExternal: return "unknown-external";
    case machine::FaultKind::Unsupported: return "unsupported";
    case machine::FaultKind::InstructionLimit: return "instruction-limit";
    case machine::FaultKind::MemoryLimit: return "memory-limit";
    case machine::FaultKind::EndlessLoop: return "endless-loop";
    default: return "limit";
  }
}

const char* kind_text(edit::ChangeKind kind) {
  switch (kind) {
    case edit::ChangeKind::Inserted: return "inserted";
    case edit::ChangeKind::Deleted: return "deleted";
    case edit::ChangeKind::Changed: return "changed";
  }
  return "changed";
}

const char* name_of(detect::Input::Kind kind) {
  switch (kind) {
    case detect::Input::Kind::Argument: return "argument";
    case detect::Input::Kind::Variable: return "variable";
    case detect::Input::Kind::StandardInput: return "standard-input";
    case detect::Input::Kind::File: return "file";
    case detect::Input::Kind::Connection: return "connection";
    case detect::Input::Kind::Value: return "value";
    case detect::Input::Kind::Memory: return "memory";
    case detect::Input::Kind::Function: return "function";
  }
  return "value";
}

// Any bytes, as they stand in a C literal: three octal digits, so that no later character joins them.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || (c == '?' && result.ends_with('?')))
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (byte < 0x20 || byte >= 0x7f)
      result += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                 static_cast<char>('0' + byte % 8)};
    else
      result += c;
  }
  return result;
}

v1::Input to_proto(const detect::Input& input) {
  v1::Input out;
  out.set_kind(name_of(input.kind));
  out.set_name(input.name);
  out.set_missing(input.missing);
  out.set_given(input.given);
  const bool value = input.kind == detect::Input::Kind::Value;
  out.set_text(value ? input.text : escaped(input.text));
  out.set_link_name(input.link_name);
  out.set_argument(input.argument);
  if (!value && input.kind != detect::Input::Kind::Memory) return out;
  *out.mutable_place() = to_proto(input.place);
  out.set_thread_number(input.thread_number);
  if (input.shown != input.text) out.set_shown(program_words(input.shown));
  if (!value) return out;
  out.set_type(!input.is_float ? "integer" : input.is_wide ? "double" : "float");
  return out;
}

}  // namespace

v1::Place place_to_proto(const detect::SourcePlace& place) { return to_proto(place); }

v1::Finding to_proto(const detect::Finding& finding) {
  v1::Finding out;
  out.set_rule(finding.rule);
  out.set_id(finding.id);
  out.set_message(program_words(finding.message));
  for (const detect::SourcePlace& place : finding.places) *out.add_places() = to_proto(place);
  for (const detect::TraceStep& step : finding.trace) *out.add_trace() = to_proto(step);
  for (const detect::CallFrame& frame : finding.frames) {
    v1::CallFrame& call = *out.add_frames();
    *call.mutable_place() = to_proto(frame.place);
    call.set_caller(frame.caller);
  }
  for (const detect::Input& input : finding.inputs) *out.add_inputs() = to_proto(input);
  for (const auto& [number, value] : finding.input_values) {
    out.add_input_values(number);
    out.add_input_values(value);
  }
  out.set_schedule(detect::print(finding.schedule));
  out.set_moved(finding.moved);
  for (const std::string& statement : finding.visible) out.add_visible(statement);
  out.set_without_interleaving(finding.without_interleaving);
  out.set_only_under(finding.only_under);
  for (const std::string& race : finding.follows_from) out.add_follows_from(race);
  return out;
}

v1::Statistics to_proto(const explore::Statistics& statistics) {
  v1::Statistics out;
  out.set_executions(statistics.executions);
  out.set_redundant(statistics.redundant);
  out.set_states(statistics.states);
  out.set_events(statistics.events);
  out.set_graphs(statistics.graphs);
  out.set_blocked(statistics.blocked);
  out.set_queries(statistics.queries);
  out.set_instructions(statistics.instructions);
  out.mutable_ms()->set_explore(statistics.seconds * 1000);
  return out;
}

v1::JobResult to_proto(const explore::Result& result) {
  v1::JobResult out;
  out.set_completeness(to_proto(result.completeness));
  *out.mutable_stats() = to_proto(result.statistics);
  for (const explore::Limit& limit : result.limits) {
    v1::JobLimit& l = *out.add_limits();
    l.set_message(limit.message);
    l.set_rule(limit_name(limit.kind));
    *l.mutable_place() = to_proto(limit.place);
    l.set_count(limit.count);
  }
  out.set_switches(result.statistics.switches);
  out.set_saved(result.left);
  out.set_more_races(result.more_races);
  if (result.busiest.steps > 0) {
    *out.mutable_busiest()->mutable_place() = to_proto(result.busiest.place);
    out.mutable_busiest()->set_steps(result.busiest.steps);
    out.mutable_busiest()->set_of(result.busiest.of);
    for (const std::string& thread : result.busiest.threads) out.mutable_busiest()->add_threads(program_words(thread));
  }
  out.set_fragment_reached(result.fragment_reached);
  out.set_pauses_bounded(result.pauses_bounded);
  out.set_sleeps_for_ever(result.sleeps_for_ever);
  out.set_looks_unordered(result.looks_unordered);
  out.set_handles_signals(result.handles_signals);
  out.set_timers_repeat(result.timers_repeat);
  out.set_signals_wait(result.signals_wait);
  out.set_cycles_undecided(result.cycles_undecided);
  out.set_runs_long(result.runs_long);
  out.set_threads_met(result.threads_met);
  out.set_runs_project_functions(result.runs_project_functions);
  out.set_finishes(result.finishes);
  for (const machine::CodeAddress at : result.racy) out.add_racy(at.bits());
  for (const machine::CodeAddress at : result.executed) out.add_executed(at.bits());
  const double first = result.statistics.first_finding.seconds;
  out.set_first_finding_ms(first < 0 ? -1 : first * 1000);
  return out;
}

v1::Diagnostic to_proto(const frontend::Diagnostic& diagnostic) {
  v1::Diagnostic out;
  switch (diagnostic.severity) {
    case frontend::Severity::Note: out.set_severity("note"); break;
    case frontend::Severity::Warning: out.set_severity("warning"); break;
    case frontend::Severity::Error: out.set_severity("error"); break;
  }
  out.set_file(disk::utf8_name(diagnostic.path));
  out.set_line(diagnostic.line);
  out.set_column(diagnostic.column);
  out.set_message(disk::utf8_name(diagnostic.message));
  return out;
}

v1::Fragment to_proto(const analysis::Facts& facts, const edit::Fragment& fragment) {
  v1::Fragment out;
  out.set_kind(kind_text(fragment.kind));
  out.set_description(description_words(fragment.description));
  const program::Program& program = *facts.program;
  if (!fragment.function.valid() || fragment.function.value >= program.function_count()) return out;
  const program::Unit& unit = program.unit(program.unit_of(fragment.function));
  if (fragment.range.file.valid() && fragment.range.file.value < unit.files.size())
    out.set_file(unit.files[fragment.range.file.value]);
  out.set_begin_line(fragment.range.begin_line);
  out.set_begin_column(fragment.range.begin_column);
  out.set_end_line(fragment.range.end_line);
  out.set_end_column(fragment.range.end_column);
  out.set_function(function_words(program.function(fragment.function).display_name));
  return out;
}

std::string thread_text(const analysis::Facts& facts, edit::ThreadName name) {
  if (!name.role.valid() || name.role.value >= facts.roles.size()) return "?";
  const analysis::Role& role = facts.roles[name.role.value];
  return (name.instance > 0 ? "another " : "") + role.name;  // numbers are those of a finding's threads
}

v1::Pair to_proto(const analysis::Facts& facts, const edit::Pair& pair) {
  v1::Pair out;
  out.set_fragment(pair.fragment);
  out.set_modified(thread_text(facts, pair.modified));
  out.set_other(thread_text(facts, pair.other));
  out.set_chosen(pair.state == edit::PairState::Chosen);
  out.set_reason(pair.reason);
  out.set_state(verdict::name_of(out.chosen() ? verdict::PairState::Queued : verdict::PairState::Skipped));
  return out;
}

std::vector<analysis::ObjectId> chosen(const edit::Relevant& relevant, size_t objects) {
  std::vector<analysis::ObjectId> result;
  for (uint32_t i = 0; i < relevant.objects.size() && i < objects; ++i)
    if (relevant.objects[i]) result.push_back(analysis::ObjectId(i));
  return result;
}

v1::Diffed to_proto(const analysis::Facts& facts, const edit::Impact& impact, const edit::Relevant* relevant) {
  v1::Diffed out;
  for (const edit::Fragment& fragment : impact.fragments) *out.add_fragments() = to_proto(facts, fragment);
  for (const analysis::RoleId role : impact.modified_roles) out.add_roles(facts.roles[role.value].name);
  for (const analysis::Role& role : facts.roles) out.add_roles_all(role.name);
  for (const edit::Pair& pair : impact.pairs) *out.add_pairs() = to_proto(facts, pair);
  for (const std::string& rule : impact.widened) out.add_widened(description_words(rule));
  for (const std::string& what : impact.unchanged) out.add_unchanged(description_words(what));
  for (const edit::EditKind kind : impact.kinds) out.add_kinds(std::string(edit::name_of(kind)));
  for (const std::string& function : impact.edited) out.add_edited(function);
  out.set_everything(impact.everything);
  if (relevant)
    for (const std::string& name : analysis::project_names(facts, chosen(*relevant, facts.objects.size())))
      out.add_relevant_objects(name);
  return out;
}

std::string memory_model_name(uint32_t model) {
  switch (model) {
    case v1::MEMORY_MODEL_TSO: return "tso";
    case v1::MEMORY_MODEL_RA: return "ra";
    case v1::MEMORY_MODEL_RC11: return "rc11";
    default: return "sc";
  }
}

}  // namespace heddle::engine
