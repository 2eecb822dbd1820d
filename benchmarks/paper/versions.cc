#include "benchmarks/paper/versions.h"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::bench {
namespace {

using analysis::InteractionKind;
using program::StatementKind;

struct Span {  // of the text, in bytes
  size_t begin = 0, end = 0;
  auto operator<=>(const Span&) const = default;
};

class Source {
 public:
  explicit Source(const std::string& text) : text(text) {
    for (size_t at = 0; at < text.size(); ++at)
      if (at == 0 || text[at - 1] == '\n') lines_.push_back(at);
  }
  size_t offset(uint32_t line, uint32_t column) const {
    if (line == 0 || line > lines_.size()) return text.size();
    return std::min(text.size(), lines_[line - 1] + (column > 0 ? column - 1 : 0));
  }
  Span span(const program::Range& range) const {
    return {offset(range.begin_line, range.begin_column), offset(range.end_line, range.end_column)};
  }
  std::string without(std::vector<Span> spans, const std::string& instead = "") const {
    std::string result = text;
    std::sort(spans.rbegin(), spans.rend());
    for (const Span& span : spans) result.replace(span.begin, span.end - span.begin, instead);
    return result;
  }

  const std::string& text;

 private:
  std::vector<size_t> lines_;
};

struct Place {  // of an interaction
  InteractionKind kind;
  size_t at = 0;
};

// The removals of one function.
class Function {
 public:
  Function(const Source& source, const analysis::Facts& facts, analysis::FunctionId id, const std::string& path)
      : source_(source), function_(facts.program->function(id)) {
    for (const program::Statement& statement : function_.statements) spans_.push_back(source.span(statement.range));
    for (const analysis::Interaction& interaction : facts.interactions_of(id)) {
      if (facts.program->file_of(interaction.at) != path) continue;
      const program::Place& place = facts.program->place(interaction.at);
      places_.push_back({interaction.kind, source.offset(place.line, place.column)});
    }
  }

  void add_to(Removals& removals) {
    for (const Place& place : places_) {
      const std::optional<size_t> statement = innermost(place.at);
      if (!statement) {
        ++removals.skipped;
      } else if (place.kind == InteractionKind::Lock || place.kind == InteractionKind::ReadLock) {
        add_critical_section(*statement, removals);
      } else if (place.kind != InteractionKind::Unlock) {
        add_statement(*statement, removals);
      }
    }
  }

 private:
  bool is(size_t statement, StatementKind kind) const { return function_.statements[statement].kind == kind; }
  bool holds(const Span& span, size_t at) const { return span.begin <= at && at < span.end; }

  std::optional<size_t> innermost(size_t at) const {
    std::optional<size_t> found;
    for (size_t n = 0; n < spans_.size(); ++n)
      if (holds(spans_[n], at) && !is(n, StatementKind::Function) && !is(n, StatementKind::Compound)) found = n;
    return found;
  }
  // The block that the statement stands in: the last range around it.
  size_t block_of(size_t statement) const {
    size_t found = 0;
    for (size_t n = 0; n < spans_.size(); ++n)
      if (n != statement && spans_[n].begin <= spans_[statement].begin && spans_[statement].end <= spans_[n].end)
        found = n;
    return found;
  }

  // Locks minus unlocks in a span.
  int balance(const Span& span) const {
    int sum = 0;
    for (const Place& place : places_) {
      if (!holds(span, place.at)) continue;
      sum += place.kind == InteractionKind::Lock || place.kind == InteractionKind::ReadLock;
      sum -= place.kind == InteractionKind::Unlock;
    }
    return sum;
  }

  void add_critical_section(size_t lock, Removals& removals) {
    const Span from = spans_[lock];
    const size_t block = block_of(lock);
    for (size_t n = lock + 1; n < spans_.size(); ++n) {
      const Span whole{from.begin, spans_[n].end};
      if (block_of(n) != block || balance(whole) != 0) continue;
      add("critical section", from, source_.without({whole}), removals);
      add("lock", from, source_.without({from, spans_[n]}), removals);
      return;
    }
    ++removals.skipped;
  }

  void add_statement(size_t statement, Removals& removals) {
    const Span span = spans_[statement];
    if (balance(span) != 0) {
      ++removals.skipped;
    } else if (is(statement, StatementKind::Declaration)) {
      if (const auto initialiser = initialiser_in(span))
        add("initialiser", span, source_.without({*initialiser}), removals);
    } else if (is(statement, StatementKind::Return)) {
      add("result", span, source_.without({span}, "return 0"), removals);
    } else {
      add("statement", span, source_.without({span}), removals);
    }
  }

  // From the equals sign to the end of the declaration, where one variable is declared.
  std::optional<Span> initialiser_in(const Span& declaration) const {
    const size_t equals = source_.text.find('=', declaration.begin);
    const size_t end = source_.text.rfind(';', declaration.end - 1);
    if (equals == std::string::npos || end == std::string::npos || equals >= end) return std::nullopt;
    return Span{equals, end};
  }

  void add(const std::string& kind, const Span& at, std::string text, Removals& removals) {
    if (done_.insert({kind, at}).second)
      removals.removals.push_back({function_.display_name, kind, line_of(at.begin), std::move(text)});
  }
  uint32_t line_of(size_t at) const {
    return 1 + static_cast<uint32_t>(
                   std::count(source_.text.begin(), source_.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  const Source& source_;
  const program::Function& function_;
  std::vector<Span> spans_;  // parallel to the function's statements
  std::vector<Place> places_;
  std::set<std::pair<std::string, Span>> done_;
};

}  // namespace

Removals removals_of(const analysis::Facts& facts, const std::string& path, const std::string& text) {
  const Source source(text);
  Removals result;
  for (uint32_t f = 0; f < facts.program->function_count(); ++f)
    Function(source, facts, analysis::FunctionId(f), path).add_to(result);
  std::stable_sort(result.removals.begin(), result.removals.end(),
                   [](const Removal& a, const Removal& b) { return a.line < b.line; });
  return result;
}

}  // namespace heddle::bench
