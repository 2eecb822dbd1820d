#include "client/native_test.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "client/fix/draft.h"
#include "client/fix/source.h"
#include "client/native_test_inputs.h"
#include "client/native_test_turns.h"
#include "client/story/outline.h"
#include "server/text/lines.h"

namespace heddle::client {
namespace {

using fix::Draft;
using fix::kNoNode;
using fix::Node;
using fix::NodeId;
using fix::NodeKind;
using fix::Source;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_header_text(const std::string& path) {
  const std::string name = base_name(path);
  const size_t dot = name.rfind('.');
  return dot == name.npos || name[dot + 1] == 'h';
}

bool is_c(const std::string& path) { return path.ends_with(".c"); }

// One file of the project: its statements, and the calls that go around them.
struct File {
  explicit File(std::string text) : source(std::move(text)), draft(source, true) {}
  Source source;
  Draft draft;
  std::map<NodeId, int> points;  // statement -> the number of the call before it
  std::map<NodeId, int> halves;  // statement that is cut in two -> the number of the call between them
};

struct Entry {
  uint32_t thread = 0;
  int point = 0;
  std::string name = {};  // of the thread
  uint32_t line = 0;
};

// "X += E;", "X++;", "X = E;": the value is computed, and stored in a statement of its own.
std::optional<std::string> cut_in_two(std::string_view code, std::string_view text, int point, bool c) {
  const std::string statement(text::trimmed(text.substr(0, text.rfind(';'))));
  if (code.find_first_of("{?") != code.npos || code.rfind(';') != code.size() - 1) return std::nullopt;
  std::string target, value;
  if (statement.ends_with("++") || statement.ends_with("--")) {
    target = statement.substr(0, statement.size() - 2);
    value = target + (statement.ends_with("++") ? " + 1" : " - 1");
  } else if (statement.starts_with("++") || statement.starts_with("--")) {
    target = statement.substr(2);
    value = target + (statement.starts_with("++") ? " + 1" : " - 1");
  } else {
    const size_t equals = statement.find('=');
    if (equals == statement.npos || equals == 0 || statement.find('=', equals + 1) != statement.npos)
      return std::nullopt;
    const bool compound = std::string_view("+-*/%&|^").find(statement[equals - 1]) != std::string_view::npos;
    target = std::string(text::trimmed(std::string_view(statement).substr(0, equals - (compound ? 1 : 0))));
    value = std::string(text::trimmed(std::string_view(statement).substr(equals + 1)));
    if (compound) value = target + " " + statement[equals - 1] + " (" + value + ")";
  }
  // A declaration has no value yet.
  const bool plain = std::all_of(target.begin(), target.end(), [](char ch) {
    return fix::is_word_character(ch) || std::string_view("[].->*()").find(ch) != std::string_view::npos;
  });
  if (target.empty() || !plain) return std::nullopt;
  return "{ " + std::string(c ? "__typeof__(" + target + ")" : "auto") + " heddle_value = " + value +
         "; heddle_point(" + std::to_string(point) + "); " + target + " = heddle_value; }";
}

// Where a variable that an annotation makes unknown gets its value: after the statement that declares it; of a
// parameter before the first statement of the body. kNoNode: nowhere.
struct AnnotatedVariable {
  NodeId statement = kNoNode;
  bool is_parameter = false;
};

// Where the annotation on that line begins which stands next to the name; npos: there is none.
size_t annotation_of(const Source& source, const v1::Input& input) {
  constexpr std::string_view kAnnotation = "annotate(\"heddle: unknown";
  const size_t line = source.offset_of(input.place().line(), 1), end = source.line_end(line);
  for (size_t at = source.text().find(kAnnotation, line); at < end; at = source.text().find(kAnnotation, at + 1)) {
    const auto last = [&](const char* word) {
      const size_t found = source.text().rfind(word, at);
      return found == std::string::npos ? 0 : found;
    };
    const size_t begin = std::max(last("__attribute__"), last("[["));
    const size_t close = source.text().find_first_not_of(")] ", source.text().find(')', at));
    if (close == std::string::npos) continue;
    const size_t from = source.code().find_last_of(",;(){}", begin), to = source.code().find_first_of(",;()={}", close);
    const std::string_view code = source.code();
    if (fix::has_word(code.substr(from + 1, begin - from - 1), input.name()) ||
        fix::has_word(code.substr(close, to - close), input.name()))
      return begin;
  }
  return std::string::npos;
}

// The parenthesis around that place, in its statement; npos: there is none.
size_t opened_before(std::string_view code, size_t at) {
  for (int depth = 0; at-- > 0 && code[at] != ';' && code[at] != '{' && code[at] != '}';) {
    if (code[at] == ')') ++depth;
    if (code[at] == '(' && depth-- == 0) return at;
  }
  return std::string_view::npos;
}

AnnotatedVariable variable_of(const Source& source, const v1::Input& input) {
  const size_t at = annotation_of(source, input);
  if (at == std::string::npos) return {};
  const size_t open = opened_before(source.code(), at);
  if (open == std::string::npos) return {source.statement_at(at), false};
  const size_t close = fix::closing_of(source.code(), open);
  NodeId body = kNoNode;
  for (NodeId scope = 0; scope < source.nodes().size(); ++scope) {
    const NodeKind kind = source.node(scope).kind;
    const NodeId its = kind == NodeKind::Function || kind == NodeKind::Lambda ? source.body_of(scope) : kNoNode;
    if (its == kNoNode || close == std::string::npos || source.node(its).begin < close) continue;
    if (body == kNoNode || source.node(its).begin < source.node(body).begin) body = its;
  }
  const bool has_statements = body != kNoNode && !source.node(body).children.empty();
  return {has_statements ? source.node(body).children.front() : kNoNode, true};
}

// What makes the failure of a rule visible natively. The rules that are not here show by themselves: their threads wait
// for ever, an assertion fails, or the process is killed.
struct NativeReport {
  std::string_view rule, flags;
};
constexpr NativeReport kReports[] = {
    {"data-race", " -fsanitize=thread"},
    {"lock-misuse", " -fsanitize=thread"},
    {"out-of-bounds", " -fsanitize=address"},
    {"use-after-free", " -fsanitize=address"},
    {"double-free", " -fsanitize=address"},
    {"invalid-free", " -fsanitize=address"},
    {"null-dereference", " -fsanitize=address"},
    {"wild-pointer", " -fsanitize=address"},
    {"leak", " -fsanitize=address"},
    {"division-by-zero", " -fsanitize=undefined -fno-sanitize-recover=all"},
    {"trap", " -fsanitize=undefined -fno-sanitize-recover=all"},
};

std::string build_line(std::string_view rule, bool c) {
  const auto* const report = std::ranges::find(kReports, rule, &NativeReport::rule);
  std::string compiler = c ? "cc" : "c++ -std=c++20", flags;
  if (report != std::end(kReports)) flags = report->flags;
  if (rule == "uninitialised-read") flags = " -fsanitize=memory", compiler = c ? "clang" : "clang++ -std=c++20";
  return compiler + " -g -pthread" + flags + (c ? " TEST.c" : " TEST.cc");
}

class Maker {
 public:
  Maker(const v1::Finding& finding, const TextOf& read) : finding_(finding), read_(read) {}

  std::variant<NativeTest, Failure> run() {
    if (finding_.trace().empty())
      return Failure{"the finding was recorded without an interleaving", "check again with --all-steps"};
    if (const auto failure = find_main()) return *failure;
    for (const OutlineRow& row : outline_of(finding_))
      for (const OutlineRow& part : by_statement(row)) add(part);
    if (script_.empty())
      return Failure{"no step of the interleaving is a statement that a test can stop at", "show the finding instead"};
    find_takers();
    put_calls();
    put_rests();
    set_annotated();
    std::set<std::string> included;
    const auto text = with_headers(main_, included);
    if (!text) return Failure{"two edits of a test met in one statement", "report this with `heddle rage`"};
    return NativeTest{head(*text) + *text, {notes_.begin(), notes_.end()}};
  }

 private:
  std::optional<Failure> find_main() {
    for (const v1::TraceStep& step : finding_.trace()) {
      const std::string& path = step.place().file();
      if (path.empty() || is_header_text(path) || files_.contains(path) || path.starts_with("/usr/")) continue;
      auto text = read_(path);
      if (!text) return Failure{path + " cannot be read", "the finding is of an older version: check again"};
      if (!main_.empty())
        return Failure{"the interleaving runs through " + base_name(main_) + " and " + base_name(path) +
                           ": a test has one source file",
                       "heddle show --schedule prints the interleaving for `heddle replay`"};
      main_ = path;
      files_[path] = std::make_unique<File>(std::move(*text));
    }
    if (main_.empty()) return Failure{"no step of the interleaving is in a source file", "show the finding instead"};
    return std::nullopt;
  }

  File* file(const std::string& path) {
    auto& known = files_[path];
    if (!known && !path.starts_with("/usr/"))
      if (auto text = read_(path)) known = std::make_unique<File>(std::move(*text));
    return known.get();
  }

  bool has_kind(const OutlineRow& row, std::string_view kind) const {
    for (int n = row.first; n <= row.last; ++n)
      if (finding_.trace(n).kind() == kind) return true;
    return false;
  }

  static bool in_loop(const File& in, NodeId statement) {
    for (NodeId at = statement; at != kNoNode && at != in.source.scope_of(statement); at = in.source.node(at).parent)
      if (in.source.node(at).kind == NodeKind::Loop) return true;
    return false;
  }

  // A line may hold several statements, as a function of one line does: each is a turn of its own.
  std::vector<OutlineRow> by_statement(const OutlineRow& row) {
    std::vector<OutlineRow> parts;
    NodeId last = kNoNode;
    for (int n = row.first; n <= row.last; ++n) {
      const v1::TraceStep& step = finding_.trace(n);
      const std::string& path = finding_.trace(row.step).place().file();
      const File* const in = step.place().file() == path && !path.empty() ? file(path) : nullptr;
      const NodeId statement =
          in == nullptr ? kNoNode
                        : in->source.statement_at(in->source.offset_of(step.place().line(), step.place().column()));
      const bool next = statement != kNoNode && last != kNoNode && !in->source.is_inside(statement, last) &&
                        !in->source.is_inside(last, statement);
      if (parts.empty() || next) parts.push_back(OutlineRow{n, n, n, row.detail, row.action});
      parts.back().last = n;
      if (n == row.step || (statement != kNoNode && last == kNoNode)) parts.back().step = n;
      if (statement != kNoNode) last = statement;
    }
    return parts;
  }

  // The thread continues inside the statement: it has read what it now writes, has waited, or is in the library.
  bool continues_inside(const OutlineRow& before, const OutlineRow& row, const File& in, NodeId statement) const {
    if (has_kind(before, "wait") || finding_.trace(before.last).action().starts_with("wait to ")) return true;
    const std::string& library = finding_.trace(before.last).library();
    if (!library.empty() && library == finding_.trace(row.first).library() && !in_loop(in, statement)) return true;
    return has_kind(before, "read") && !has_kind(before, "write") && !has_kind(row, "read") && has_kind(row, "write");
  }

  void add(const OutlineRow& row) {
    const v1::TraceStep& step = finding_.trace(row.step);
    if (step.place().file().empty()) return;
    File* const in = file(step.place().file());
    if (in == nullptr) return;
    const NodeId statement = in->source.statement_at(in->source.offset_of(step.place().line(), step.place().column()));
    if (statement == kNoNode) return;
    // The end of a guard's scope: the lock itself lets the others wait.
    if (has_kind(row, "unlock") && !has_kind(row, "lock") && !fix::has_word(in->source.code_of(statement), "unlock") &&
        in->source.code_of(statement).find("unlock") == std::string_view::npos)
      return;
    const auto last = last_.find(step.thread_number());
    const bool again = last != last_.end() && last->second.statement == statement && last->second.in == in;
    if (again && (script_.empty() || script_.back().thread == step.thread_number() ||
                  continues_inside(last->second.row, row, *in, statement))) {
      const bool same_turn = script_.empty() || script_.back().thread == step.thread_number();
      if (!same_turn) add_half(*in, statement, step);
      last_[step.thread_number()] = {in, statement, row};
      return;
    }
    const auto [point, fresh] = in->points.try_emplace(statement, points_ + 1);
    if (fresh) ++points_;
    script_.push_back({step.thread_number(), point->second, step.thread(), step.place().line()});
    last_[step.thread_number()] = {in, statement, row};
  }

  void add_half(File& in, NodeId statement, const v1::TraceStep& step) {
    const bool known = in.halves.contains(statement);
    if (!known && !cut_in_two(in.source.code_of(statement), in.source.text_of(statement), 0, is_c(main_))) {
      if (step.kind() == "read" || step.kind() == "write" || step.kind() == "update")
        notes_.insert("it does not stop inside of " + base_name(step.place().file()) + ":" +
                      std::to_string(step.place().line()) + ", where the interleaving has a switch");
      return;
    }
    const auto [half, fresh] = in.halves.try_emplace(statement, points_ + 1);
    if (fresh) ++points_;
    script_.push_back({step.thread_number(), half->second, step.thread(), step.place().line()});
  }

  void put_calls() {
    for (const auto& [path, in] : files_) {
      if (!in) continue;
      for (const auto& [statement, point] : in->points) put_call(*in, statement, point);
      for (const auto& [statement, point] : in->halves) {
        const Node& node = in->source.node(statement);
        const std::string_view text = in->source.text_of(statement);
        std::string cut = *cut_in_two(in->source.code_of(statement), text, point, is_c(main_));
        for (auto n = std::count(text.begin(), text.end(), '\n') - std::count(cut.begin(), cut.end(), '\n'); n > 0; --n)
          cut += '\n';
        in->draft.replace(node.begin, node.end, cut);
      }
    }
  }

  // Where each thread takes its first unknown value: by then it has to be known which thread it is.
  void find_takers() {
    std::set<uint32_t> threads;
    std::map<std::pair<File*, NodeId>, int> places;
    for (const v1::Input& input : finding_.inputs()) {
      const bool takes = (input.kind() == "value" || input.kind() == "memory") && input.has_place();
      File* const in = takes ? file(input.place().file()) : nullptr;
      if (in == nullptr || !threads.insert(input.thread_number()).second) continue;
      const size_t at = in->source.offset_of(input.place().line(), input.place().column());
      const NodeId statement =
          is_variable(input) ? variable_of(in->source, input).statement : in->source.statement_at(at);
      if (statement == kNoNode) continue;
      const auto [place, fresh] = places.try_emplace({in, statement}, static_cast<int>(places.size()) + 1);
      if (fresh) in->draft.before(statement, "heddle_here(" + std::to_string(place->second) + ");");
      takers_ += "{" + std::to_string(input.thread_number()) + ", " + std::to_string(place->second) + "}, ";
    }
  }

  // A variable that an annotation makes unknown gets its value by hand: a compiler ignores the annotation.
  void set_annotated() {
    std::set<std::string> done;
    for (const v1::Input& input : finding_.inputs()) {
      File* const in = is_variable(input) && input.has_place() ? file(input.place().file()) : nullptr;
      const std::string line = in == nullptr ? "" : given_variable(finding_, input);
      if (in == nullptr || !done.insert(line).second) continue;
      const AnnotatedVariable variable = variable_of(in->source, input);
      if (variable.statement == kNoNode)
        notes_.insert("it does not set the variable " + input.name() + " of line " +
                      std::to_string(input.place().line()) + " to " + input.text() + ": do so by hand");
      else if (variable.is_parameter)
        in->draft.before(variable.statement, line);
      else
        in->draft.after(variable.statement, line);
    }
  }

  // The statement after the last one of each thread waits for the steps of the others.
  void put_rests() {
    std::map<uint32_t, int> last;  // by thread
    for (const Entry& entry : script_) last[entry.thread] = entry.point;
    std::set<int> points;
    for (const auto& [thread, point] : last)
      if (thread != script_.back().thread) points.insert(point);
    for (const auto& [path, in] : files_) {
      if (!in) continue;
      for (const auto& [statement, point] : in->points) {
        if (!points.contains(point) || in->source.node(statement).parent == kNoNode) continue;
        const auto& siblings = in->source.node(in->source.node(statement).parent).children;
        const auto next = std::upper_bound(siblings.begin(), siblings.end(), statement);
        if (next == siblings.end() || in->halves.contains(*next)) continue;
        if (in->source.node(*next).kind != NodeKind::Loop) in->draft.before(*next, "heddle_rest();");
      }
    }
  }

  static void put_call(File& in, NodeId statement, int point) {
    const Node& node = in.source.node(statement);
    const std::string number = "(" + std::to_string(point) + ")";
    const std::string_view code = in.source.code_of(statement);
    if (node.kind == NodeKind::Loop && code.starts_with("while")) {  // each time that the condition is read
      const size_t open = node.begin + code.find('(') + 1;
      in.draft.replace(open, open, "heddle_point" + number + ", ");
      return;
    }
    in.draft.before(statement, "heddle_point" + number + ";");
    if (node.kind == NodeKind::Plain) in.draft.after(statement, "heddle_done" + number + ";");
  }

  // The file with the calls; its own headers in the place of their #include.
  std::optional<std::string> with_headers(const std::string& path, std::set<std::string>& included) {
    File* const in = file(path);
    if (in == nullptr) return std::nullopt;
    const auto edits = in->draft.finish();
    if (!edits) return std::nullopt;
    std::string out = line_mark(1, path);
    const std::string text = fix::applied(in->source.text(), *edits);
    size_t number = 0;
    for (const std::string_view line : text::lines_with_ends(text)) {
      ++number;
      const std::string_view trimmed = text::trimmed(line);
      const size_t open = trimmed.find('"'), close = trimmed.rfind('"');
      const bool own = trimmed.starts_with("#") && trimmed.find("include") != trimmed.npos && open < close;
      const std::string header =
          own ? path.substr(0, path.rfind('/') + 1) + std::string(trimmed.substr(open + 1, close - open - 1)) : "";
      if (!own || file(header) == nullptr) {
        out += trimmed == "#pragma once" ? "\n" : std::string(line);
        continue;
      }
      if (included.insert(header).second) {
        const auto inner = with_headers(header, included);
        if (!inner) return std::nullopt;
        out += *inner + (inner->ends_with('\n') ? "" : "\n");
      }
      out += line_mark(number + 1, path);
    }
    return out;
  }

  static std::string line_mark(size_t line, const std::string& path) {
    return "#line " + std::to_string(line) + " \"" + base_name(path) + "\"\n";
  }

  std::string head(const std::string& text) {
    const bool c = is_c(main_);
    const std::string inputs = given_inputs(finding_, text, notes_);
    std::string out = "// " + finding_.message() + " [" + finding_.rule() + "], finding " + finding_.id() + ".\n";
    out += "// Made by `heddle show " + finding_.id() + " --as-test`: forces the interleaving natively.\n";
    out += "// Build: " + build_line(finding_.rule(), c) + "\n";
    out +=
        "// Fails: by a report, by its assertion, or as its threads wait for ever. "
        "Exit code 3: nothing failed here.\n";
    for (const std::string& note : notes_) out += "// Note: " + note + ".\n";
    out += std::string(kTurnsBegin) + "static const struct heddle_step { int thread, point; } heddle_script[] = {\n";
    out += schedule() + "}, heddle_takers[] = {" + takers_ + "{-1, 0}};\n";
    out += std::string("enum { heddle_exit_code_counts = ") + (finding_.rule() == "exit-code-differs" ? "1" : "0") +
           " };\n" + kTurnsEnd;
    return out + inputs;
  }

  // A line for each turn of a thread.
  std::string schedule() const {
    std::string out;
    for (size_t n = 0; n < script_.size();) {
      const Entry& first = script_[n];
      std::string steps = "   ", lines;
      for (; n < script_.size() && script_[n].thread == first.thread; ++n) {
        steps += " {" + std::to_string(script_[n].thread) + ", " + std::to_string(script_[n].point) + "},";
        lines += (lines.empty() ? "" : ", ") + std::to_string(script_[n].line);
      }
      out += steps + " /* " + first.name + ": line " + lines + " */\n";
    }
    return out;
  }

  struct Last {
    File* in = nullptr;
    NodeId statement = kNoNode;
    OutlineRow row;
  };

  const v1::Finding& finding_;
  const TextOf& read_;
  std::string main_;
  std::map<std::string, std::unique_ptr<File>> files_;  // by path; null: cannot be read
  std::vector<Entry> script_;
  std::map<uint32_t, Last> last_;  // by thread
  std::set<std::string> notes_;
  std::string takers_;  // rows of heddle_takers
  int points_ = 0;
};

}  // namespace

std::variant<NativeTest, Failure> native_test(const v1::Finding& finding, const TextOf& read) {
  return Maker(finding, read).run();
}

}  // namespace heddle::client
