// An inverted index over a small text: words, positions, phrases, edits, similarity, compressed postings.
#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace text {

constexpr std::string_view kBook =
    "The quick brown fox jumps over the lazy dog. The dog sleeps; the fox runs on!\n"
    "A river runs through the valley, and the valley is quiet. Nobody heard the river.\n"
    "When the fox came to the river, the dog was there. \"Quick,\" said the fox, \"jump!\"\n"
    "The lazy dog did not jump. It slept by the river until the moon was over the valley.\n"
    "Moonlight fell on the brown water; the water was quick and cold and brown.\n"
    "In the morning the dog and the fox walked home through the quiet valley.\n";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\''; }

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

struct Token {
  std::string word;
  std::uint32_t line = 0, column = 0, position = 0;
};

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}
  std::optional<Token> next() {
    while (at_ < text_.size() && !is_word(text_[at_])) step();
    if (at_ == text_.size()) return std::nullopt;
    Token token{{}, line_, column_, position_++};
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) step();
    token.word = lower(text_.substr(begin, at_ - begin));
    return token;
  }

 private:
  void step() {
    if (text_[at_++] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1, position_ = 0;
};

// Differences of ascending numbers in seven-bit groups.
class Postings {
 public:
  void add(std::uint32_t value) {
    std::uint32_t gap = value - last_;
    last_ = value;
    ++count_;
    for (; gap >= 0x80; gap >>= 7) bytes_.push_back(static_cast<std::uint8_t>(gap | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(gap));
  }
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;
    iterator(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) { read(); }
    std::uint32_t operator*() const { return value_; }
    iterator& operator++() {
      at_ = next_;
      read();
      return *this;
    }
    iterator operator++(int) {
      iterator copy = *this;
      ++*this;
      return copy;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }
    bool operator!=(const iterator& other) const { return !(*this == other); }

   private:
    void read() {
      next_ = at_;
      if (at_ == end_) return;
      std::uint32_t gap = 0;
      int shift = 0;
      do gap |= (*next_ & 0x7fu) << shift, shift += 7;
      while (*next_++ & 0x80);
      value_ += gap;
    }
    const std::uint8_t *at_, *end_, *next_ = nullptr;
    std::uint32_t value_ = 0;
  };
  iterator begin() const { return {bytes_.data(), bytes_.data() + bytes_.size()}; }
  iterator end() const { return {bytes_.data() + bytes_.size(), bytes_.data() + bytes_.size()}; }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t last_ = 0;
  std::size_t count_ = 0;
};

class Index {
 public:
  explicit Index(std::string_view text) {
    Tokens tokens(text);
    while (auto token = tokens.next()) {
      words_[token->word].add(token->position);
      places_.push_back(std::move(*token));
    }
  }

  const std::map<std::string, Postings, std::less<>>& words() const { return words_; }
  const Token& place(std::uint32_t position) const { return places_.at(position); }
  std::size_t size() const { return places_.size(); }

  std::set<std::uint32_t> lines_with(std::string_view word) const {
    std::set<std::uint32_t> result;
    if (const auto found = words_.find(word); found != words_.end())
      std::transform(found->second.begin(), found->second.end(), std::inserter(result, result.end()),
                     [&](std::uint32_t position) { return places_[position].line; });
    return result;
  }

  std::vector<std::uint32_t> phrase(const std::vector<std::string>& wanted) const {
    std::vector<std::uint32_t> result;
    if (wanted.empty()) throw std::invalid_argument("an empty phrase");
    const auto first = words_.find(wanted.front());
    if (first == words_.end()) return result;
    std::copy_if(first->second.begin(), first->second.end(), std::back_inserter(result), [&](std::uint32_t position) {
      return position + wanted.size() <= places_.size() &&
             std::equal(wanted.begin(), wanted.end(), places_.begin() + position,
                        [](const std::string& word, const Token& token) { return word == token.word; });
    });
    return result;
  }

 private:
  std::map<std::string, Postings, std::less<>> words_;
  std::deque<Token> places_;
};

// Queries: word, and(...), or(...), not(...), near(a, b, distance).
struct Query;
using QueryPtr = std::unique_ptr<Query>;
struct Word { std::string text; };
struct And { std::vector<QueryPtr> parts; };
struct Or { std::vector<QueryPtr> parts; };
struct Not { QueryPtr part; };
struct Query { std::variant<Word, And, Or, Not> what; };

class Parser {
 public:
  explicit Parser(std::string_view text) : stream_(std::string(text)) {}
  QueryPtr parse() {
    QueryPtr query = one();
    if (stream_ >> std::ws && !stream_.eof()) throw std::runtime_error("something is left behind the query");
    return query;
  }

 private:
  QueryPtr one() {
    std::string name;
    while (std::isalpha(stream_.peek())) name += static_cast<char>(stream_.get());
    if (name.empty()) throw std::runtime_error("a word is missing");
    auto query = std::make_unique<Query>();
    if (stream_.peek() != '(') {
      query->what = Word{name};
      return query;
    }
    stream_.get();
    std::vector<QueryPtr> parts;
    do {
      stream_ >> std::ws;
      parts.push_back(one());
    } while (stream_ >> std::ws && stream_.peek() == ',' && stream_.get());
    if (stream_.get() != ')') throw std::runtime_error("a bracket is missing behind '" + name + "'");
    if (name == "and") query->what = And{std::move(parts)};
    else if (name == "or") query->what = Or{std::move(parts)};
    else if (name == "not" && parts.size() == 1) query->what = Not{std::move(parts[0])};
    else throw std::runtime_error("no operation '" + name + "' of " + std::to_string(parts.size()));
    return query;
  }
  std::istringstream stream_;
};

template <typename... F> struct Overloaded : F... { using F::operator()...; };
template <typename... F> Overloaded(F...) -> Overloaded<F...>;

using Lines = std::bitset<16>;

Lines run(const Index& index, const Query& query) {
  return std::visit(Overloaded{[&](const Word& word) {
                                 Lines lines;
                                 for (const std::uint32_t line : index.lines_with(word.text)) lines.set(line);
                                 return lines;
                               },
                               [&](const And& all) {
                                 return std::accumulate(all.parts.begin(), all.parts.end(), ~Lines(),
                                                        [&](Lines l, const QueryPtr& p) { return l & run(index, *p); });
                               },
                               [&](const Or& any) {
                                 Lines lines;
                                 for (const QueryPtr& part : any.parts) lines |= run(index, *part);
                                 return lines;
                               },
                               [&](const Not& none) {
                                 Lines lines = ~run(index, *none.part);
                                 lines.reset(0);
                                 for (std::size_t n = 7; n < lines.size(); ++n) lines.reset(n);
                                 return lines;
                               }},
                    query.what);
}

int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const int above = row[k];
      row[k] = std::min({row[k] + 1, row[k - 1] + 1, diagonal + (a[i - 1] != b[k - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

std::vector<std::string> suggestions(const Index& index, std::string_view word, int most) {
  std::vector<std::tuple<int, std::size_t, std::string>> found;
  for (const auto& [known, postings] : index.words())
    if (const int d = distance(word, known); d <= most) found.emplace_back(d, SIZE_MAX - postings.count(), known);
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (auto& [d, rank, known] : found) result.push_back(std::move(known) + "/" + std::to_string(d));
  return result;
}

template <typename Range> std::string joined(const Range& range, const char* separator = " ") {
  std::ostringstream out;
  const char* before = "";
  for (const auto& item : range) out << std::exchange(before, separator) << item;
  return out.str();
}

}  // namespace text

int main() {
  using namespace text;
  const Index index(kBook);
  std::cout << index.size() << " words, " << index.words().size() << " different\n";

  using Entry = std::pair<std::size_t, std::string_view>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> best;
  for (const auto& [word, postings] : index.words()) {
    best.emplace(postings.count(), word);
    if (best.size() > 8) best.pop();
  }
  std::list<Entry> top;
  for (; !best.empty(); best.pop()) top.push_front(best.top());
  for (const auto& [count, word] : top)
    std::cout << std::left << std::setw(8) << word << std::right << std::setw(4) << count << std::setw(7) << std::fixed
              << std::setprecision(2) << 100.0 * static_cast<double>(count) / static_cast<double>(index.size()) << "%\n";

  std::size_t bytes = 0;
  for (const auto& [word, postings] : index.words()) bytes += postings.bytes();
  std::cout << "postings: " << bytes << " bytes\n";
  for (const char* word : {"river", "fox", "moon", "nothing"})
    std::cout << word << ": lines " << joined(index.lines_with(word), ",") << '\n';

  for (const auto& phrase : std::vector<std::vector<std::string>>{{"the", "dog"}, {"lazy", "dog"}, {"brown", "dog"}}) {
    std::cout << std::quoted(joined(phrase)) << ":";
    for (const std::uint32_t position : index.phrase(phrase))
      std::cout << ' ' << index.place(position).line << ':' << index.place(position).column;
    std::cout << '\n';
  }
  for (const char* query : {"river", "and(fox, dog)", "or(moon,morning , nobody)", "and(not(river), valley)",
                            "and(fox, or(river, quiet), not(jump))", "and(fox", "near(fox, dog)", "fox dog", "(x)"}) {
    std::cout << query << " -> ";
    try {
      const Lines lines = run(index, *Parser(query).parse());
      std::cout << lines.to_string().substr(9) << " " << lines.count() << '\n';
    } catch (const std::runtime_error& error) {
      std::cout << "error: " << error.what() << '\n';
    }
  }
  for (const char* word : {"rivr", "jumpd", "quik", "vally"})
    std::cout << word << "? " << joined(suggestions(index, word, 2), ", ") << '\n';
  try {
    index.phrase({});
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << '\n';
  }
  try {
    std::cout << index.place(1000).word;
  } catch (const std::out_of_range&) {
    std::cout << "out of range\n";
  }

  std::unordered_map<char, std::unordered_set<std::string>> by_letter;
  for (const auto& [word, postings] : index.words()) by_letter[word.front()].insert(word);
  std::array<std::size_t, 26> letters{};
  for (const auto& [letter, words] : by_letter) letters[static_cast<std::size_t>(letter - 'a')] = words.size();
  std::cout << joined(letters) << '\n';
  std::vector<std::string_view> words;
  for (const auto& entry : index.words()) words.push_back(entry.first);
  std::stable_sort(words.begin(), words.end(), [](auto a, auto b) { return a.size() > b.size(); });
  std::cout << joined(std::vector<std::string_view>(words.begin(), words.begin() + 6)) << '\n';
  const auto longer = std::partition_point(words.begin(), words.end(), [](auto w) { return w.size() > 3; });
  std::cout << longer - words.begin() << " longer than 3, " << std::count_if(longer, words.end(), [](auto w) {
    return w.find_first_of("aeiou") == std::string_view::npos;
  }) << " of the others without a vowel\n";
}
