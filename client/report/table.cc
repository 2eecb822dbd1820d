#include "client/report/table.h"

#include <algorithm>
#include <map>
#include <vector>

namespace heddle::client {
namespace {

constexpr unsigned kThreadWidthMin = 16, kPlaceWidthMax = 28, kLocksWidthMax = 22;

struct Glyphs {
  const char *bar, *cross, *line, *switched, *decisive, *dots;
};
constexpr Glyphs kUnicode{" │ ", "─┼─", "─", "▸ ", "●", "⋮"};
constexpr Glyphs kAscii{" | ", "-+-", "-", "> ", "*", ":"};

struct Column {
  std::string header;
  unsigned width = 0;    // what it gets
  unsigned natural = 0;  // what it wants
};

// Where a word is cut that is longer than the width: after punctuation, if there is any in its second half; else where
// the width ends. In bytes.
size_t cut_of(const std::string& word, unsigned width) {
  size_t bytes = 0, best = 0;
  for (unsigned columns = 0; bytes < word.size(); ++bytes) {
    if ((static_cast<unsigned char>(word[bytes]) & 0xC0) == 0x80) continue;
    if (columns++ == width) break;
    const bool arrow = word[bytes] == '>' && bytes > 0 && word[bytes - 1] == '-';
    const bool ends = arrow || std::string_view("([{,;./:").find(word[bytes]) != std::string_view::npos;
    if (ends && columns > width / 2 && columns < width) best = bytes + 1;
  }
  return best > 0 && best < word.size() ? best : bytes;
}

// Breaks at spaces; a word longer than the width is cut.
std::vector<std::string> wrap(const std::string& text, unsigned width) {
  std::vector<std::string> lines;
  std::string line;
  unsigned used = 0;
  const auto flush = [&] {
    lines.push_back(line);
    line.clear();
    used = 0;
  };
  size_t at = 0;
  while (at < text.size()) {
    const size_t space = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, space - at);
    at = space + 1;
    if (used > 0 && used + 1 + display_width(word) > width) flush();
    while (display_width(word) > width) {
      if (used > 0) flush();
      const size_t bytes = cut_of(word, width);
      line = word.substr(0, bytes);
      word.erase(0, bytes);
      flush();
    }
    if (word.empty()) continue;
    if (used > 0) line += ' ', ++used;
    line += word;
    used += display_width(word);
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string padded(const std::string& text, unsigned width) {
  const unsigned used = display_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string repeated(const char* text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i) result += text;
  return result;
}

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::string place_text(const v1::Place& place) {
  if (place.file().empty()) return "";
  return base_name(place.file()) + ":" + std::to_string(place.line());
}

std::string locks_text(const v1::TraceStep& step) {
  std::string text;
  for (const std::string& lock : step.locks_held()) text += (text.empty() ? "" : ", ") + lock;
  return text;
}

class Renderer {
 public:
  Renderer(const v1::Finding& finding, const Style& style, const TableOptions& options)
      : finding_(finding),
        style_(style),
        options_(options),
        glyphs_(style.unicode ? kUnicode : kAscii),
        rows_(rows_shown(finding, options.detail)) {}

  std::string render() {
    measure();
    header();
    int next = 0;  // the first step that is not in yet
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].first > next) cut_line(rows_[row].first - next);
      step(row);
      next = rows_[row].last + 1;
    }
    if (finding_.trace_size() > next) cut_line(finding_.trace_size() - next);
    return out_;
  }

 private:
  static constexpr unsigned kMarkWidth = 2;  // the switch mark in front of an action

  unsigned column_of(const v1::TraceStep& step) const { return side_by_side_ ? columns_.at(step.thread_number()) : 0; }
  const v1::TraceStep& step_of(size_t row) const { return finding_.trace(rows_[row].step); }
  uint32_t thread_of(size_t row) const { return step_of(row).thread_number(); }

  // The project's line; empty where each step is a row of its own.
  std::string code_of(size_t row) const {
    if (options_.source == nullptr || options_.detail == Detail::Everything) return "";
    const v1::Place& place = step_of(row).place();
    return options_.source->excerpt(place.file(), place.line(), place.column());
  }

  void measure() {
    std::map<uint32_t, std::string> names;
    for (size_t row = 0; row < rows_.size(); ++row) {
      const v1::TraceStep& step = step_of(row);
      names.emplace(step.thread_number(), step.thread());
      place_width_ = std::max(place_width_, display_width(place_text(step.place())));
      locks_width_ = std::max(locks_width_, display_width(locks_text(step)));
    }
    place_width_ = std::min(std::max(place_width_, 5u), kPlaceWidthMax);
    if (locks_width_ > 0) locks_width_ = std::min(std::max(locks_width_, 5u), kLocksWidthMax);
    number_width_ = display_width(std::to_string(finding_.trace_size()));
    for (const auto& [number, name] : names) {
      columns_[number] = static_cast<unsigned>(threads_.size());
      threads_.push_back({name, 0, display_width(name) + kMarkWidth});
    }
    for (size_t row = 0; row < rows_.size(); ++row) {
      Column& column = threads_[columns_.at(thread_of(row))];
      const unsigned wanted = std::max(display_width(rows_[row].action), display_width(code_of(row)));
      column.natural = std::max(column.natural, wanted + kMarkWidth);
    }
    const unsigned fixed = options_.indent + 2 + number_width_ + 2 + place_width_ +
                           (locks_width_ > 0 ? locks_width_ + 3 : 0) + 3 * static_cast<unsigned>(threads_.size());
    const unsigned left = style_.width > fixed ? style_.width - fixed : 0;
    side_by_side_ = left >= kThreadWidthMin * threads_.size() || total_natural() <= left;
    if (side_by_side_) return share(left);
    collapse();
  }

  unsigned total_natural() const {
    unsigned total = 0;
    for (const Column& column : threads_) total += column.natural;
    return total;
  }

  // Narrow columns keep what they want; the others share the rest evenly.
  void share(unsigned left) {
    std::vector<Column*> open;
    for (Column& column : threads_) open.push_back(&column);
    std::sort(open.begin(), open.end(), [](const Column* a, const Column* b) { return a->natural < b->natural; });
    for (size_t i = 0; i < open.size(); ++i) {
      open[i]->width = std::min(open[i]->natural, left / static_cast<unsigned>(open.size() - i));
      left -= open[i]->width;
    }
  }

  // Too many threads for the width: one column for the name of the thread, one for what it does.
  void collapse() {
    for (const Column& column : threads_) name_width_ = std::max(name_width_, display_width(column.header));
    name_width_ = std::min(name_width_, style_.width / 5);
    locks_width_ = std::min(locks_width_, style_.width / 7);
    const auto fixed = [&] {
      return options_.indent + 2 + number_width_ + 2 + place_width_ + 3 + name_width_ + 3 +
             (locks_width_ > 0 ? locks_width_ + 3 : 0);
    };
    if (fixed() + kThreadWidthMin > style_.width) locks_width_ = 0;
    const unsigned width = std::max(style_.width, fixed() + kThreadWidthMin) - fixed();
    threads_ = {{"step", width, width}};
  }

  void header() {
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (const Column& column : threads_) {
      cells.push_back(wrap(column.header, column.width));
      height = std::max(height, cells.back().size());
    }
    for (size_t line = 0; line < height; ++line) {
      begin_line("", line == 0 ? std::string(number_width_ - 1, ' ') + "#" : "", line == 0 ? "place" : "", Ink::Bold);
      if (!side_by_side_) cell(line == 0 ? "thread" : "", name_width_, Ink::Bold);
      for (size_t i = 0; i < threads_.size(); ++i) {
        cell(line < cells[i].size() ? cells[i][line] : "", threads_[i].width, Ink::Bold);
      }
      if (locks_width_ > 0) cell(line == 0 ? "holds" : "", locks_width_, Ink::Bold);
      end_line();
    }
    std::string rule = std::string(options_.indent, ' ') + repeated(glyphs_.line, 2 + number_width_ + 2 + place_width_);
    const auto add = [&](unsigned width) { rule += glyphs_.cross + repeated(glyphs_.line, width); };
    if (!side_by_side_) add(name_width_);
    for (const Column& column : threads_) add(column.width);
    if (locks_width_ > 0) add(locks_width_);
    out_ += style_.paint(Ink::Dim, rule) + "\n";
  }

  void step(size_t row) {
    const v1::TraceStep& step = step_of(row);
    const bool switched = row > 0 ? thread_of(row - 1) != thread_of(row) : step.switched();
    const unsigned mine = column_of(step);
    const unsigned width = std::max(threads_[mine].width, kMarkWidth + 4) - kMarkWidth;
    std::vector<std::string> action = wrap(rows_[row].action, width);
    const size_t action_size = action.size();
    if (const std::string code = code_of(row); !code.empty())
      for (std::string& line : wrap(code, width)) action.push_back(std::move(line));
    const std::vector<std::string> locks = wrap(locks_text(step), std::max(locks_width_, 1u));
    const std::vector<std::string> place = wrap(place_text(step.place()), place_width_);
    const std::vector<std::string> name =
        side_by_side_ ? std::vector<std::string>{} : wrap(step.thread(), std::max(name_width_, 1u));
    const size_t height = std::max({action.size(), locks.size(), place.size(), name.size()});
    const auto line_of = [](const std::vector<std::string>& lines, size_t line) {
      return line < lines.size() ? lines[line] : std::string();
    };
    for (size_t line = 0; line < height; ++line) {
      const std::string number = std::to_string(rows_[row].step + 1);
      begin_line(line == 0 && step.decisive() ? glyphs_.decisive : "",
                 line == 0 ? std::string(number_width_ - number.size(), ' ') + number : "", line_of(place, line),
                 Ink::Dim);
      if (!side_by_side_) cell(line_of(name, line), name_width_, Ink::Cyan);
      const Ink ink = line >= action_size ? Ink::Dim : step.decisive() ? Ink::Red : Ink::Plain;
      for (unsigned i = 0; i < threads_.size(); ++i) {
        if (i != mine || line >= action.size()) {
          cell("", threads_[i].width, Ink::Plain);
        } else {
          cell((line == 0 && switched ? glyphs_.switched : "  ") + action[line], threads_[i].width, ink);
        }
      }
      if (locks_width_ > 0) cell(line_of(locks, line), locks_width_, Ink::Yellow);
      end_line();
    }
  }

  void cut_line(int count) {
    out_ += std::string(options_.indent + 2, ' ') +
            style_.paint(Ink::Dim, std::string(glyphs_.dots) + " " + std::to_string(count) +
                                       (count == 1 ? " step" : " steps") + " not shown") +
            "\n";
  }

  void begin_line(const std::string& mark, const std::string& number, const std::string& place, Ink ink) {
    line_ = std::string(options_.indent, ' ') + style_.paint(Ink::Red, padded(mark, 1)) + " " +
            style_.paint(ink, padded(number, number_width_)) + "  " + style_.paint(ink, padded(place, place_width_));
  }
  void cell(const std::string& text, unsigned width, Ink ink) {
    line_ += style_.paint(Ink::Dim, glyphs_.bar);
    const unsigned used = display_width(text);
    line_ += style_.paint(ink, text) + std::string(width > used ? width - used : 0, ' ');
  }
  void end_line() {
    while (!line_.empty() && line_.back() == ' ') line_.pop_back();
    out_ += line_ + "\n";
  }

  const v1::Finding& finding_;
  const Style& style_;
  const TableOptions& options_;
  const Glyphs& glyphs_;
  const std::vector<OutlineRow> rows_;
  std::map<uint32_t, unsigned> columns_;  // thread number -> index in threads_
  std::vector<Column> threads_;
  unsigned number_width_ = 1, place_width_ = 0, locks_width_ = 0, name_width_ = 0;
  bool side_by_side_ = true;
  std::string line_, out_;
};

}  // namespace

std::string render_interleaving(const v1::Finding& finding, const Style& style, const TableOptions& options) {
  if (finding.trace_size() == 0) return "";
  return Renderer(finding, style, options).render();
}

}  // namespace heddle::client
