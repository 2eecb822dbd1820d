#include "client/smaller/bounds.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <string_view>

namespace heddle::client::smaller {
namespace {

constexpr uint64_t kLeast = 3, kMost = 1000000000;

const std::regex kStart(R"(\b(pthread_create|thrd_create|thread|jthread|async)\b)");
const std::regex kPool(R"(\w*([Tt]hread|[Ww]orker|[Pp]ool|THREAD|WORKER|POOL)\w*)");
const std::regex kCounts(
    R"((THREAD|WORKER|PRODUCER|CONSUMER|READER|WRITER|CLIENT|TASK|JOB|ITEM|ITERATION|ROUND|REPEAT))",
    std::regex::icase);

class Reader {
 public:
  explicit Reader(const std::string& text) : source_(text) {
    find_loops();
    find_loops_of_macros();
  }

  std::vector<LoopHead> loop_heads() const {
    std::vector<LoopHead> out;
    for (const Loop& loop : loops_) out.push_back(loop.head);
    return out;
  }

  std::vector<Bound> bounds(const std::vector<LoopHead>& elsewhere) {
    elsewhere_ = elsewhere;
    find_cases();
    for_each(source_.text(), R"(^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(\d[\d']*)[uUlL]*\)?[ \t]*(//.*|/\*.*)?$)",
             true, [&](const std::smatch& m) { named(m, 1, 2); });
    for_each(source_.code(), R"(\b(?:const|constexpr)\b[^;(){}=]*?\b(\w+)\s*[={]\s*(\d[\d']*)[uUlL]*\s*[;}])", false,
             [&](const std::smatch& m) { named(m, 1, 2); });
    for_each(
        source_.code(),
        R"([;{})]\s*(?:auto|int|long|unsigned|(?:std::)?(?:s?size_t|u?int\d+_t))\s+(\w+)\s*[={]\s*(\d[\d']*)[uUlL]*\s*[;}])",
        false, [&](const std::smatch& m) { variable(m, 1, 2); });
    for_each(source_.code(), R"(\benum\b[^;{}()]*\{([^}]*)\})", false, [&](const std::smatch& m) { enumerators(m); });
    literals_of_loops();
    sizes_of_pools();
    std::sort(out_.begin(), out_.end(),
              [](const Bound& a, const Bound& b) { return std::pair(a.line, a.column) < std::pair(b.line, b.column); });
    return std::move(out_);
  }

 private:
  struct Loop {
    size_t begin, end;  // of its head
    LoopHead head;
  };
  struct Case {
    size_t begin, end;
    std::string words;
  };

  template <typename Use>
  void for_each(const std::string& text, const char* pattern, bool lines, const Use& use) const {
    const std::regex regex(pattern, lines ? std::regex::ECMAScript | std::regex::multiline : std::regex::ECMAScript);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) use(*it);
  }

  void find_loops() {
    for (const fix::Node& node : source_.nodes()) {
      if (node.kind != fix::NodeKind::Loop) continue;
      const std::string code = source_.code().substr(node.begin, node.end - node.begin);
      const size_t open = code.find('(');
      const size_t close = open == std::string::npos ? open : fix::closing_of(code, open);
      if (close == std::string::npos) continue;
      loops_.push_back({node.begin + open + 1,
                        node.begin + close,
                        {code.substr(open + 1, close - open - 1), std::regex_search(code, kStart)}});
    }
  }

  // #define START(f) for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, f, 0)
  void find_loops_of_macros() {
    static const std::regex loop(R"(\b(?:for|while)\s*\()");
    for_each(source_.text(), R"(^[ \t]*#[ \t]*define\b)", true, [&](const std::smatch& match) {
      const auto begin = static_cast<size_t>(match.position(0));
      size_t end = source_.line_end(begin);
      while (end < source_.text().size() && source_.text()[end - 1] == '\\') end = source_.line_end(end + 1);
      const std::string body = source_.text().substr(begin, end - begin);
      for (auto it = std::sregex_iterator(body.begin(), body.end(), loop); it != std::sregex_iterator(); ++it) {
        const size_t open = static_cast<size_t>(it->position(0) + it->length(0)) - 1;
        const size_t close = fix::closing_of(body, open);
        if (close == std::string::npos) continue;
        loops_.push_back({begin + open + 1,
                          begin + close,
                          {body.substr(open + 1, close - open - 1), std::regex_search(body, kStart)}});
      }
    });
  }

  // TEST(Suite, Case) { ... }, TEST_CASE("name") { ... } and the like.
  void find_cases() {
    for_each(source_.code(), R"(\b(?:\w*TEST\w*|SCENARIO\w*)\s*\()", false, [&](const std::smatch& match) {
      const size_t open = static_cast<size_t>(match.position(0) + match.length(0)) - 1;
      const size_t close = fix::closing_of(source_.code(), open);
      if (close == std::string::npos) return;
      const size_t body = source_.code().find_first_not_of(" \t\r\n", close + 1);
      if (body == std::string::npos || source_.code()[body] != '{') return;
      cases_.push_back(
          {body, fix::closing_of(source_.code(), body), source_.text().substr(open + 1, close - open - 1)});
    });
  }

  Bound at(size_t offset, const std::string& name, uint64_t value) const {
    Bound out;
    out.name = name;
    out.value = value;
    const std::string before = source_.text().substr(0, offset);
    out.line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    out.column = static_cast<uint32_t>(offset - source_.line_begin(offset)) + 1;
    for (const Case& one : cases_)
      if (one.begin < offset && offset < one.end) out.test_case = one.words;
    return out;
  }

  static uint64_t number(std::string digits) {
    std::erase(digits, '\'');
    return digits.size() > 10 ? 0 : std::stoull(digits);
  }
  static bool counts(uint64_t value) { return value >= kLeast && value <= kMost; }

  // A constant counts if a loop runs to it, or if its name says what it counts and the code uses it.
  void named(const std::smatch& match, size_t name_group, size_t value_group) {
    add_named(match[name_group], static_cast<size_t>(match.position(value_group)), match[value_group]);
  }

  // One that is set once, to be what a loop runs to: not the count of a loop itself.
  void variable(const std::smatch& match, size_t name_group, size_t value_group) {
    const size_t offset = static_cast<size_t>(match.position(value_group));
    const std::string name = match[name_group];
    const bool of_loop = std::any_of(loops_.begin(), loops_.end(),
                                     [&](const Loop& loop) { return loop.begin <= offset && offset < loop.end; });
    const std::regex written("(\\+\\+|--)\\s*" + name + "\\b|\\b" + name + "\\s*(\\+\\+|--|[-+*/%]?=[^=])");
    const fix::NodeId statement = source_.statement_at(offset);
    if (of_loop || statement == fix::kNoNode) return;
    const std::string code(source_.code_of(source_.scope_of(statement)));
    if (std::distance(std::sregex_iterator(code.begin(), code.end(), written), std::sregex_iterator()) <= 1)
      named(match, name_group, value_group);
  }

  void add_named(const std::string& name, size_t offset, const std::string& digits) {
    const uint64_t value = number(digits);
    if (!counts(value)) return;
    bool bounds = std::regex_search(name, kCounts) && uses_of(name) > 1, starts = false;
    const auto look = [&](const LoopHead& head) {
      if (!fix::has_word(head.text, name)) return;
      bounds = true;
      starts = starts || head.starts_threads;
    };
    for (const Loop& loop : loops_) look(loop.head);
    for (const LoopHead& head : elsewhere_) look(head);
    if (!bounds) return;
    Bound found = at(offset, name, value);
    found.starts_threads = starts || std::regex_match(name, kPool);
    found.edits.push_back({offset, digits.size(), ""});
    out_.push_back(std::move(found));
  }

  size_t uses_of(const std::string& name) const {
    size_t count = 0;
    for (size_t from = 0; (from = fix::find_word(source_.text(), name, from)) != std::string::npos; from += name.size())
      ++count;
    return count;
  }

  void enumerators(const std::smatch& match) {
    const std::string list = match[1];
    const size_t begin = static_cast<size_t>(match.position(1));
    for_each(list, R"((\w+)\s*=\s*(\d[\d']*)\b)", false,
             [&](const std::smatch& one) { add_named(one[1], begin + static_cast<size_t>(one.position(2)), one[2]); });
  }

  // Loops of a file that run to the same number change together: those that start threads, and those that join them.
  void literals_of_loops() {
    std::map<std::pair<std::string, uint64_t>, Bound> by_value;  // of one test case
    for (const Loop& loop : loops_) {
      const std::string& head = loop.head.text;
      std::smatch match;
      static const std::regex bound(R"((?:<=?|!=)\s*(\d[\d']*)[uUlL]*\s*(?=;|$|&&))");
      if (!std::regex_search(head, match, bound) || !counts(number(match[1]))) continue;
      const size_t offset = loop.begin + static_cast<size_t>(match.position(1));
      Bound found = at(offset, "", number(match[1]));
      const std::pair key(found.test_case, found.value);
      const auto [known, fresh] = by_value.try_emplace(key, std::move(found));
      known->second.starts_threads = known->second.starts_threads || loop.head.starts_threads;
      known->second.edits.push_back({offset, match[1].str().size(), ""});
    }
    for (auto& [key, found] : by_value) {
      found.name = std::string(found.edits.size() > 1 ? "the loops to " : "the loop to ") + std::to_string(found.value);
      out_.push_back(std::move(found));
    }
  }

  // ThreadPool pool(4); thpool_init(4); std::vector<std::thread> threads(4);
  void sizes_of_pools() {
    for_each(source_.code(), R"(([\w:]+(?:<[^;<>]*>)?)(\s+\w+)?\s*[({]\s*(\d[\d']*)[uUlL]*\s*[)},])", false,
             [&](const std::smatch& match) {
               const std::string type = match[1], digits = match[3];
               if (!std::regex_search(type, kPool) || !counts(number(digits))) return;
               const size_t offset = static_cast<size_t>(match.position(3));
               Bound found = at(offset, type + "(" + digits + ")", number(digits));
               found.starts_threads = true;
               found.edits.push_back({offset, digits.size(), ""});
               out_.push_back(std::move(found));
             });
  }

  const fix::Source source_;
  std::vector<Loop> loops_;
  std::vector<LoopHead> elsewhere_;
  std::vector<Case> cases_;
  std::vector<Bound> out_;
};

std::string letters_of(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (fix::is_word_character(c)) out += c;
  return out;
}

}  // namespace

std::vector<LoopHead> loop_heads_of(const std::string& text) { return Reader(text).loop_heads(); }

std::vector<Bound> bounds_of(const std::string& text, const std::vector<LoopHead>& elsewhere) {
  return Reader(text).bounds(elsewhere);
}

bool concerns(const Bound& bound, const std::string& test_case) {
  if (bound.test_case.empty() || test_case.empty()) return true;
  const std::string words = letters_of(bound.test_case);
  const auto names = [&](std::string_view name) { return words.find(letters_of(name)) != std::string::npos; };
  return names(test_case) || names(std::string_view(test_case).substr(test_case.rfind('/') + 1));
}

}  // namespace heddle::client::smaller
