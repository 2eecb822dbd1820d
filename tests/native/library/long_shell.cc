// A command interpreter: words and quotes, variables, pipes of built-in commands over streams, conditions and loops,
// user functions, undo of assignments by scopes, arithmetic, a history; errors as exceptions with nested causes.
#include <algorithm>
#include <any>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace shell {

struct SyntaxError : std::runtime_error {
  SyntaxError(std::size_t column, const std::string& what) : std::runtime_error(what), column(column) {}
  std::size_t column;
};
struct CommandError : std::system_error { using std::system_error::system_error; };

void explain(const std::exception& error, std::ostream& out, int depth = 0) {
  out << std::string(static_cast<std::size_t>(depth) * 2, ' ') << error.what() << '\n';
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& cause) {
    explain(cause, out, depth + 1);
  }
}

// --- words ----------------------------------------------------------------------------------------------------------

struct Token {
  enum class Kind { Word, Pipe, End, Open, Close } kind;
  std::string text;
  std::size_t column;
  bool literal = false;  // in single quotes: no variables
};

std::vector<Token> tokens_of(std::string_view line) {
  std::vector<Token> result;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (std::isspace(static_cast<unsigned char>(c))) { ++at; continue; }
    const std::size_t column = at + 1;
    if (c == '#') break;
    if (c == '|') { result.push_back({Token::Kind::Pipe, "|", column}); ++at; continue; }
    if (c == ';') { result.push_back({Token::Kind::End, ";", column}); ++at; continue; }
    if (c == '{') { result.push_back({Token::Kind::Open, "{", column}); ++at; continue; }
    if (c == '}') { result.push_back({Token::Kind::Close, "}", column}); ++at; continue; }
    Token word{Token::Kind::Word, "", column};
    while (at < line.size() && !std::isspace(static_cast<unsigned char>(line[at])) && !std::strchr("|;{}#", line[at])) {
      if (line[at] == '\'' || line[at] == '"') {
        const char quote = line[at];
        const std::size_t end = line.find(quote, at + 1);
        if (end == std::string_view::npos) throw SyntaxError(at + 1, "a quote is not closed");
        word.text += line.substr(at + 1, end - at - 1);
        word.literal = word.literal || quote == '\'';
        at = end + 1;
      } else {
        word.text += line[at++];
      }
    }
    result.push_back(std::move(word));
  }
  return result;
}

// --- the tree -------------------------------------------------------------------------------------------------------

struct Block;
struct Simple { std::vector<Token> words; };
struct Compound { std::string keyword; std::vector<Token> words; std::shared_ptr<Block> body, otherwise; };
using Stage = std::variant<Simple, Compound>;
struct Pipeline { std::vector<Stage> stages; };
struct Block { std::vector<Pipeline> pipelines; };

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)), at_(tokens_.cbegin()) {}
  std::shared_ptr<Block> whole() {
    auto block = parse_block();
    if (at_ != tokens_.cend()) throw SyntaxError(at_->column, "'" + at_->text + "' is not expected here");
    return block;
  }

 private:
  bool is(Token::Kind kind) const { return at_ != tokens_.cend() && at_->kind == kind; }
  std::shared_ptr<Block> parse_block() {
    auto block = std::make_shared<Block>();
    while (at_ != tokens_.cend() && !is(Token::Kind::Close)) {
      if (is(Token::Kind::End)) { ++at_; continue; }
      Pipeline pipeline;
      pipeline.stages.push_back(parse_stage());
      while (is(Token::Kind::Pipe)) ++at_, pipeline.stages.push_back(parse_stage());
      block->pipelines.push_back(std::move(pipeline));
    }
    return block;
  }
  Stage parse_stage() {
    if (!is(Token::Kind::Word)) throw SyntaxError(at_ == tokens_.cend() ? tokens_.back().column : at_->column, "a command is missing");
    static const std::set<std::string, std::less<>> kKeywords = {"if", "while", "for", "function"};
    std::vector<Token> words;
    while (is(Token::Kind::Word)) words.push_back(*at_++);
    if (!kKeywords.contains(words[0].text)) return Simple{std::move(words)};
    Compound compound{words[0].text, {std::next(words.begin()), words.end()}, braces(), nullptr};
    if (is(Token::Kind::Word) && at_->text == "else") ++at_, compound.otherwise = braces();
    return compound;
  }
  std::shared_ptr<Block> braces() {
    if (!is(Token::Kind::Open)) throw SyntaxError(tokens_.back().column, "'{' is missing");
    ++at_;
    auto block = parse_block();
    if (!is(Token::Kind::Close)) throw SyntaxError(tokens_.back().column, "'}' is missing");
    ++at_;
    return block;
  }
  std::vector<Token> tokens_;
  std::vector<Token>::const_iterator at_;
};

// --- values ---------------------------------------------------------------------------------------------------------

long number_of(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw CommandError(std::make_error_code(error == std::errc() ? std::errc::invalid_argument : error), "'" + text + "' as a number");
  return value;
}

class Scopes {
 public:
  void enter() { scopes_.emplace_front(); }
  void leave() { scopes_.pop_front(); }
  void set(const std::string& name, std::string value) {
    for (auto& scope : scopes_)
      if (const auto found = scope.find(name); found != scope.end()) { found->second = std::move(value); return; }
    local(name, std::move(value));
  }
  void local(const std::string& name, std::string value) { scopes_.front().insert_or_assign(name, std::move(value)); }
  std::string get(const std::string& name) const {
    for (const auto& scope : scopes_)
      if (const auto found = scope.find(name); found != scope.end()) return found->second;
    return "";
  }

 private:
  std::forward_list<std::unordered_map<std::string, std::string>> scopes_{1};
};

class Interpreter {
 public:
  using Words = std::vector<std::string>;
  using Command = std::function<int(const Words&, std::istream&, std::ostream&)>;

  Interpreter() {
    commands_["echo"] = [](const Words& w, std::istream&, std::ostream& out) {
      for (std::size_t n = 1; n < w.size(); ++n) out << (n > 1 ? " " : "") << w[n];
      out << '\n';
      return 0;
    };
    commands_["set"] = [this](const Words& w, std::istream&, std::ostream&) { return scopes_.set(w.at(1), w.size() > 2 ? w[2] : ""), 0; };
    commands_["local"] = [this](const Words& w, std::istream&, std::ostream&) { return scopes_.local(w.at(1), w.at(2)), 0; };
    commands_["test"] = [](const Words& w, std::istream&, std::ostream&) {
      if (w.size() == 2) return w[1].empty() ? 1 : 0;
      static const std::map<std::string, std::function<bool(long, long)>> kOperators = {
          {"-lt", std::less<>()}, {"-gt", std::greater<>()}, {"-eq", std::equal_to<>()}, {"-ne", std::not_equal_to<>()}};
      if (w.at(2) == "=") return w.at(1) == w.at(3) ? 0 : 1;
      return kOperators.at(w.at(2))(number_of(w.at(1)), number_of(w.at(3))) ? 0 : 1;
    };
    commands_["calc"] = [](const Words& w, std::istream&, std::ostream& out) {
      std::stack<long, std::list<long>> stack;
      for (auto word = w.begin() + 1; word != w.end(); ++word) {
        if (word->size() == 1 && std::strchr("+-*/%", word->front())) {
          if (stack.size() < 2) throw std::length_error("calc: too few numbers before '" + *word + "'");
          const long b = stack.top();
          stack.pop();
          long& a = stack.top();
          switch (word->front()) {
            case '+': a += b; break;
            case '-': a -= b; break;
            case '*': a *= b; break;
            default:
              if (b == 0) throw std::domain_error("calc: division by zero");
              a = word->front() == '/' ? a / b : a % b;
          }
        } else {
          stack.push(number_of(*word));
        }
      }
      out << stack.top() << '\n';
      return 0;
    };
    const auto lines = [](std::istream& in) {
      Words result;
      for (std::string line; std::getline(in, line);) result.push_back(std::move(line));
      return result;
    };
    const auto print = [](const Words& words, std::ostream& out) { std::copy(words.begin(), words.end(), std::ostream_iterator<std::string>(out, "\n")); };
    commands_["sort"] = [=](const Words& w, std::istream& in, std::ostream& out) {
      Words all = lines(in);
      if (w.size() > 1 && w[1] == "-n") std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return number_of(a) < number_of(b); });
      else std::sort(all.begin(), all.end());
      return print(all, out), 0;
    };
    commands_["uniq"] = [=](const Words&, std::istream& in, std::ostream& out) {
      Words all = lines(in);
      all.erase(std::unique(all.begin(), all.end()), all.end());
      return print(all, out), 0;
    };
    commands_["grep"] = [=](const Words& w, std::istream& in, std::ostream& out) {
      const std::regex pattern(w.at(1));
      Words all = lines(in);
      const auto last = std::remove_if(all.begin(), all.end(), [&](const std::string& line) { return !std::regex_search(line, pattern); });
      all.erase(last, all.end());
      return print(all, out), all.empty() ? 1 : 0;
    };
    commands_["replace"] = [=](const Words& w, std::istream& in, std::ostream& out) {
      for (const std::string& line : lines(in)) out << std::regex_replace(line, std::regex(w.at(1)), w.at(2)) << '\n';
      return 0;
    };
    commands_["wc"] = [](const Words&, std::istream& in, std::ostream& out) {
      std::size_t count[3] = {};
      for (std::string line; std::getline(in, line); ++count[0], count[2] += line.size() + 1) {
        std::istringstream words(line);
        count[1] += static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(words), {}));
      }
      out << count[0] << ' ' << count[1] << ' ' << count[2] << '\n';
      return 0;
    };
    commands_["words"] = [](const Words& w, std::istream&, std::ostream& out) {
      for (auto word = w.begin() + 1; word != w.end(); ++word) out << *word << '\n';
      return 0;
    };
  }

  int run(const std::string& line, std::istream& in, std::ostream& out) {
    if (history_.size() == 5) history_.pop_front();
    history_.push_back(line);
    try {
      return run(*Parser(tokens_of(line)).whole(), in, out);
    } catch (const SyntaxError& error) {
      out << std::setw(static_cast<int>(error.column) + 2) << "^" << " " << error.what() << '\n';
    } catch (const std::exception& error) {
      explain(error, out);
    }
    return 2;
  }
  const std::deque<std::string>& history() const { return history_; }

 private:
  std::string expand(const Token& token) const {
    if (token.literal) return token.text;
    std::string result;
    static const std::regex kVariable(R"(\$(?:(\w+)|\{(\w+)\}))");
    auto from = token.text.cbegin();
    for (std::sregex_iterator match(token.text.begin(), token.text.end(), kVariable), end; match != end; ++match) {
      result.append(from, (*match)[0].first);
      result += scopes_.get((*match)[1].matched ? match->str(1) : match->str(2));
      from = (*match)[0].second;
    }
    return result.append(from, token.text.cend());
  }
  Words expand(const std::vector<Token>& tokens) const {
    Words words;
    std::transform(tokens.begin(), tokens.end(), std::back_inserter(words), [this](const Token& t) { return expand(t); });
    return words;
  }
  int run(const Block& block, std::istream& in, std::ostream& out) {
    return std::accumulate(block.pipelines.begin(), block.pipelines.end(), 0, [&](int, const Pipeline& p) { return run(p, in, out); });
  }
  int run(const Pipeline& pipeline, std::istream& in, std::ostream& out) {
    std::stringstream between;
    int code = 0;
    for (std::size_t n = 0; n < pipeline.stages.size(); ++n) {
      const bool first = n == 0, last = n + 1 == pipeline.stages.size();
      std::stringstream next;
      code = std::visit([&](const auto& stage) { return run(stage, first ? in : between, last ? out : next); }, pipeline.stages[n]);
      between = std::move(next);
    }
    return code;
  }
  int run(const Simple& simple, std::istream& in, std::ostream& out) {
    const Words words = expand(simple.words);
    try {
      if (const auto function = functions_.find(words[0]); function != functions_.end()) return call(*function->second, words, in, out);
      const auto command = commands_.find(words[0]);
      if (command == commands_.end()) throw CommandError(ENOENT, std::generic_category(), words[0]);
      return command->second(words, in, out);
    } catch (const std::out_of_range&) {
      std::throw_with_nested(std::runtime_error(words[0] + ": too few words, or not a known one"));
    }
  }
  int call(const Block& body, const Words& words, std::istream& in, std::ostream& out) {
    struct Guard {
      Scopes& scopes;
      int& depth;
      Guard(Scopes& s, int& d) : scopes(s), depth(d) { scopes.enter(), ++depth; }
      ~Guard() { scopes.leave(), --depth; }
    } guard(scopes_, depth_);
    if (depth_ > 12) throw std::overflow_error(words[0] + " calls itself too often");
    for (std::size_t n = 0; n < words.size(); ++n) scopes_.local(std::to_string(n), words[n]);
    return run(body, in, out);
  }
  int run(const Compound& compound, std::istream& in, std::ostream& out) {
    if (compound.keyword == "function") return functions_[compound.words.at(0).text] = compound.body, 0;
    int code = 0;
    if (compound.keyword == "for") {
      const Words words = expand(compound.words);
      for (std::size_t n = 1; n < words.size(); ++n) scopes_.set(words[0], words[n]), code = run(*compound.body, in, out);
      return code;
    }
    const Simple condition{compound.words};
    if (compound.keyword == "if") {
      if (run(condition, in, out) == 0) return run(*compound.body, in, out);
      return compound.otherwise ? run(*compound.otherwise, in, out) : 0;
    }
    while (run(condition, in, out) == 0) code = run(*compound.body, in, out);
    return code;
  }

  std::map<std::string, Command, std::less<>> commands_;
  std::map<std::string, std::shared_ptr<Block>> functions_;
  Scopes scopes_;
  std::deque<std::string> history_;
  int depth_ = 0;
};

}  // namespace shell

int main() {
  shell::Interpreter interpreter;
  std::istringstream script(R"(
echo hello   "two  words" 'and $three' # a comment
set name world; echo "hello, ${name}!" $nothing end
words pear apple fig apple | sort | uniq | wc
words 10 9 100 | sort -n ; words 10 9 100 | sort
calc 3 4 + 2 '*' 5 %
calc 1 0 /
calc + 1
calc 99999999999999999999
unknown thing
echo 'not closed
if test 3 -lt 5 { echo smaller } else { echo larger }
if test a = b { echo same } else { echo differ; echo really }
for i 1 2 3 { echo item $i | replace '[0-9]+' '<$&>' }
function twice { $1 $2; $1 $2 }
twice echo again
function down { if test $1 -gt 0 { echo $1; set next $1; down 0 } else { echo done } }
down 3
function loop { loop }
loop
words alpha beta gamma delta | grep '^[a-c]' | sort
words x | grep y
test 1 -xx 2
echo | | echo
while test a = b { echo never }
} echo
if test a = a
for word one two { function f { echo "${word}: $1" }; f $word }
)");
  int line_number = 0;
  for (std::string line; std::getline(script, line); ++line_number) {
    if (line.empty()) continue;
    std::istringstream none;
    std::ostringstream out;
    const int code = interpreter.run(line, none, out);
    std::cout << "$ " << line << '\n' << out.str();
    if (code != 0) std::cout << "(" << code << ")\n";
  }
  for (const std::string& line : interpreter.history()) std::cout << std::quoted(line) << '\n';
  std::any kept = interpreter.history().size();
  std::cout << (std::type_index(kept.type()) == std::type_index(typeid(std::size_t))) << std::any_cast<std::size_t>(kept) << '\n';
}
