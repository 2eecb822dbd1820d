// Regular expressions of POSIX, basic and extended: the leftmost match, the longest of those, found by backtracking.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwctype>

#include <regex.h>

extern "C" {
// Never defined: a call ends the path, and the verdict says so.
int long_regular_expression() __asm__("a regular expression that takes many steps");
}

namespace {

enum class Kind : uint8_t { Character, Any, Set, Begin, End, Group, Repeat, Either, Back };

struct Node {
  Kind kind;
  int next;          // after it; -1: the end of what it is in
  int inner, other;  // Group, Repeat; Either: its two sides
  int least, most;   // Repeat; most -1: no limit
  int number;        // Group, Back
  unsigned char letter;
  unsigned char set[32];
};

struct Expression {
  Node* nodes;
  int count, first, flags;
};

constexpr int kMost = 255;  // RE_DUP_MAX

// One call of regcomp.
class Parser {
 public:
  Parser(const char* text, int flags, Expression& into) : at_(text), extended_(flags & REG_EXTENDED), into_(into) {}

  int run(size_t& groups) {
    into_.first = either(0);
    if (error_ == 0 && *at_ != '\0') error_ = REG_EPAREN;
    groups = static_cast<size_t>(groups_);
    return error_;
  }

 private:
  int add(Kind kind) {
    into_.nodes = static_cast<Node*>(realloc(into_.nodes, sizeof(Node) * static_cast<size_t>(into_.count + 1)));
    Node& made = into_.nodes[into_.count];
    memset(&made, 0, sizeof made);
    made.kind = kind;
    made.next = made.inner = made.other = -1;
    return into_.count++;
  }
  int fail(int error) {
    if (error_ == 0) error_ = error;
    return -1;
  }
  bool sign(char c) const { return extended_ ? *at_ == c : at_[0] == '\\' && at_[1] == c; }
  void skip_sign() { at_ += extended_ ? 1 : 2; }
  bool at_end(int depth) const { return *at_ == '\0' || sign('|') || (depth > 0 && sign(')')); }

  int either(int depth) {
    const int left = branch(depth);
    if (error_ != 0 || !sign('|')) return left;
    skip_sign();
    const int node = add(Kind::Either);
    const int right = either(depth);
    into_.nodes[node].inner = left;
    into_.nodes[node].other = right;
    return node;
  }

  int branch(int depth) {
    int first = -1, last = -1;
    bool begins = true;
    while (error_ == 0 && !at_end(depth)) {
      int node = atom(depth, begins);
      if (error_ != 0) break;
      node = repeated(node);
      begins = false;
      if (last < 0)
        first = node;
      else
        into_.nodes[last].next = node;
      last = node;
    }
    return first;
  }

  int atom(int depth, bool begins) {
    if (sign('(')) return group(depth);
    const char c = *at_;
    const bool anchors = extended_ || begins;
    if (c == '^' && anchors) return ++at_, add(Kind::Begin);
    if (c == '$' && (extended_ || at_[1] == '\0' || (at_[1] == '\\' && (at_[2] == ')' || at_[2] == '|'))))
      return ++at_, add(Kind::End);
    if (extended_ && (c == '*' || c == '+' || c == '?')) return fail(REG_BADRPT);
    if (c == '.') return ++at_, add(Kind::Any);
    if (c == '[') return set();
    if (c == '\\') return escaped();
    ++at_;
    return letter(c);
  }

  int letter(char c) {
    const int node = add(Kind::Character);
    into_.nodes[node].letter = static_cast<unsigned char>(c);
    return node;
  }

  int escaped() {
    const char c = at_[1];
    if (c == '\0') return fail(REG_EESCAPE);
    at_ += 2;
    if (c >= '1' && c <= '9') {
      if (c - '0' > groups_) return fail(REG_ESUBREG);
      const int node = add(Kind::Back);
      into_.nodes[node].number = c - '0';
      return node;
    }
    const char lower = static_cast<char>(c | 32);
    if (lower != 'w' && lower != 's') return letter(c);
    const int node = add(Kind::Set);
    for (int n = 0; n < 256; ++n) {
      const bool in = lower == 'w' ? isalnum(n) || n == '_' : isspace(n);
      if (in == (c == lower)) put(node, n);
    }
    return node;
  }

  int group(int depth) {
    skip_sign();
    const int node = add(Kind::Group), number = ++groups_;
    const int inner = either(depth + 1);
    if (error_ != 0) return -1;
    if (!sign(')')) return fail(REG_EPAREN);
    skip_sign();
    into_.nodes[node].inner = inner;
    into_.nodes[node].number = number;
    return node;
  }

  void put(int node, int c) { into_.nodes[node].set[c >> 3] |= static_cast<unsigned char>(1 << (c & 7)); }

  // A character of a set, and "[.x.]".
  int member() {
    if (at_[0] != '[' || at_[1] != '.') return static_cast<unsigned char>(*at_++);
    const char* const end = strstr(at_ + 2, ".]");
    if (end == nullptr || end != at_ + 3) return fail(REG_ECOLLATE);
    const int c = static_cast<unsigned char>(at_[2]);
    at_ = end + 2;
    return c;
  }

  bool named_class(int node) {
    if (at_[0] != '[' || at_[1] != ':') return false;
    const char* const end = strstr(at_ + 2, ":]");
    char name[16] = {};
    if (end == nullptr || end - at_ - 2 >= static_cast<long>(sizeof name)) return fail(REG_ECTYPE), true;
    memcpy(name, at_ + 2, static_cast<size_t>(end - at_ - 2));
    const wctype_t is = wctype(name);
    if (is == 0) return fail(REG_ECTYPE), true;
    for (int c = 0; c < 128; ++c)
      if (iswctype(static_cast<wint_t>(c), is)) put(node, c);
    at_ = end + 2;
    return true;
  }

  int set() {
    const int node = add(Kind::Set);
    const bool inverted = *++at_ == '^';
    if (inverted) ++at_;
    for (bool first = true; first || *at_ != ']'; first = false) {
      if (*at_ == '\0') return fail(REG_EBRACK);
      if (named_class(node)) {
        if (error_ != 0) return -1;
        continue;
      }
      const int from = member();
      int to = from;
      if (at_[0] == '-' && at_[1] != ']' && at_[1] != '\0') {
        ++at_;
        to = member();
      }
      if (error_ != 0) return -1;
      if (to < from) return fail(REG_ERANGE);
      for (int c = from; c <= to; ++c) put(node, c);
    }
    ++at_;
    if (inverted)
      for (unsigned char& bits : into_.nodes[node].set) bits = static_cast<unsigned char>(~bits);
    if (inverted && (into_.flags & REG_NEWLINE)) into_.nodes[node].set['\n' >> 3] &= static_cast<unsigned char>(~4);
    return node;
  }

  // The stars and bounds after it.
  int repeated(int node) {
    for (;;) {
      int least = 0, most = -1;
      const bool plain = *at_ == '*';
      if (plain) {
        ++at_;
      } else if (sign('+') || sign('?')) {
        least = sign('+');
        most = sign('+') ? -1 : 1;
        skip_sign();
      } else if (sign('{')) {
        if (!bounds(least, most)) return -1;
      } else {
        return node;
      }
      const int outer = add(Kind::Repeat);
      into_.nodes[outer].inner = node;
      into_.nodes[outer].least = least;
      into_.nodes[outer].most = most;
      node = outer;
    }
  }

  bool bounds(int& least, int& most) {
    skip_sign();
    char* end = nullptr;
    if (!isdigit(static_cast<unsigned char>(*at_))) return fail(REG_BADBR), false;
    const long from = strtol(at_, &end, 10);
    long to = from;
    at_ = end;
    if (*at_ == ',') {
      ++at_;
      to = isdigit(static_cast<unsigned char>(*at_)) ? strtol(at_, &end, 10) : -1;
      if (to >= 0) at_ = end;
    }
    if (!sign('}')) return fail(*at_ == '\0' ? REG_EBRACE : REG_BADBR), false;
    skip_sign();
    if (from > kMost || to > kMost || (to >= 0 && to < from)) return fail(REG_BADBR), false;
    least = static_cast<int>(from);
    most = static_cast<int>(to);
    return true;
  }

  const char* at_;
  const bool extended_;
  Expression& into_;
  int groups_ = 0, error_ = 0;
};

// What follows the end of a group or of a round.
struct After {
  int node, rounds;
  regoff_t from;
  const After* outer;
};

// One call of regexec.
class Search {
 public:
  Search(const Expression& expression, const char* text, int flags, size_t groups)
      : e_(expression), text_(text), length_(static_cast<regoff_t>(strlen(text))), flags_(flags), groups_(groups) {
    const size_t size = sizeof(regmatch_t) * (groups + 1);
    now_ = static_cast<regmatch_t*>(malloc(size));
    best_ = static_cast<regmatch_t*>(malloc(size));
  }
  ~Search() {
    free(now_);
    free(best_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  bool run() {
    for (regoff_t begin = 0; begin <= length_; ++begin) {
      for (size_t n = 0; n <= groups_; ++n) now_[n] = {-1, -1};
      now_[0].rm_so = begin;
      best_[0].rm_eo = -1;
      follow(e_.first, begin, nullptr);
      if (best_[0].rm_eo >= 0) return true;
    }
    return false;
  }
  const regmatch_t& group(size_t n) const { return best_[n]; }

 private:
  bool same(unsigned char a, unsigned char b) const {
    return a == b || ((e_.flags & REG_ICASE) && tolower(a) == tolower(b));
  }
  bool in_set(const Node& node, unsigned char c) const {
    const auto has = [&](int letter) { return (node.set[letter >> 3] >> (letter & 7) & 1) != 0; };
    return has(c) || ((e_.flags & REG_ICASE) && (has(tolower(c)) || has(toupper(c))));
  }
  bool begins(regoff_t at) const {
    return at == 0 ? !(flags_ & REG_NOTBOL) : (e_.flags & REG_NEWLINE) && text_[at - 1] == '\n';
  }
  bool ends(regoff_t at) const {
    return at == length_ ? !(flags_ & REG_NOTEOL) : (e_.flags & REG_NEWLINE) && text_[at] == '\n';
  }

  // All ways on from here; the first of the longest counts.
  void follow(int number, regoff_t at, const After* after) {
    constexpr long kStepsMost = 1000000;
    if (++steps_ > kStepsMost) {
      long_regular_expression();
      return;
    }
    if (number < 0) return leave(at, after);
    const Node& node = e_.nodes[number];
    const auto c = static_cast<unsigned char>(text_[at]);
    switch (node.kind) {
      case Kind::Character:
        if (at < length_ && same(c, node.letter)) follow(node.next, at + 1, after);
        break;
      case Kind::Any:
        if (at < length_ && !((e_.flags & REG_NEWLINE) && c == '\n')) follow(node.next, at + 1, after);
        break;
      case Kind::Set:
        if (at < length_ && in_set(node, c)) follow(node.next, at + 1, after);
        break;
      case Kind::Begin:
        if (begins(at)) follow(node.next, at, after);
        break;
      case Kind::End:
        if (ends(at)) follow(node.next, at, after);
        break;
      case Kind::Group: {
        const After inner = {number, 0, at, after};
        follow(node.inner, at, &inner);
        break;
      }
      case Kind::Repeat: repeat(number, 0, at, after); break;
      case Kind::Either: {
        const After inner = {number, 0, at, after};
        follow(node.inner, at, &inner);
        follow(node.other, at, &inner);
        break;
      }
      case Kind::Back: back(node, at, after); break;
    }
  }

  void back(const Node& node, regoff_t at, const After* after) {
    const regmatch_t group = now_[node.number];
    if (group.rm_eo < 0) return;
    for (regoff_t n = group.rm_so; n < group.rm_eo; ++n, ++at)
      if (at >= length_ || !same(static_cast<unsigned char>(text_[n]), static_cast<unsigned char>(text_[at]))) return;
    follow(node.next, at, after);
  }

  void repeat(int number, int rounds, regoff_t at, const After* after) {
    const Node& node = e_.nodes[number];
    if (node.most < 0 || rounds < node.most) {
      const After inner = {number, rounds + 1, at, after};
      follow(node.inner, at, &inner);
    }
    if (rounds >= node.least) follow(node.next, at, after);
  }

  void leave(regoff_t at, const After* after) {
    if (after == nullptr) {
      if (at <= best_[0].rm_eo) return;
      now_[0].rm_eo = at;
      memcpy(best_, now_, sizeof(regmatch_t) * (groups_ + 1));
      return;
    }
    const Node& node = e_.nodes[after->node];
    if (node.kind == Kind::Repeat) {
      if (at == after->from && after->rounds > node.least) return;  // nothing was taken: it could continue for ever
      return repeat(after->node, after->rounds, at, after->outer);
    }
    if (node.kind == Kind::Either) return follow(node.next, at, after->outer);
    const regmatch_t before = now_[node.number];
    now_[node.number] = {after->from, at};
    follow(node.next, at, after->outer);
    now_[node.number] = before;
  }

  const Expression& e_;
  const char* const text_;
  const regoff_t length_;
  const int flags_;
  const size_t groups_;
  regmatch_t *now_, *best_;
  long steps_ = 0;
};

constexpr const char* kErrors[] = {"Success",
                                   "No match",
                                   "Invalid regular expression",
                                   "Invalid collation character",
                                   "Invalid character class name",
                                   "Trailing backslash",
                                   "Invalid back reference",
                                   "Unmatched [, [^, [:, [., or [=",
                                   "Unmatched ( or \\(",
                                   "Unmatched \\{",
                                   "Invalid content of \\{\\}",
                                   "Invalid range end",
                                   "Memory exhausted",
                                   "Invalid preceding regular expression"};

}  // namespace

extern "C" {

int regcomp(regex_t* into, const char* text, int flags) {
  auto* const made = static_cast<Expression*>(calloc(1, sizeof(Expression)));
  made->flags = flags;
  const int error = Parser(text, flags, *made).run(into->re_nsub);
  into->buffer = reinterpret_cast<re_dfa_t*>(made);
  if (error != 0) regfree(into);
  return error;
}

int regexec(const regex_t* expression, const char* text, size_t count, regmatch_t* matches, int flags) {
  const Expression& e = *reinterpret_cast<const Expression*>(expression->buffer);
  Search search(e, text, flags, expression->re_nsub);
  if (!search.run()) return REG_NOMATCH;
  if (e.flags & REG_NOSUB) return 0;
  for (size_t n = 0; n < count; ++n) matches[n] = n <= expression->re_nsub ? search.group(n) : regmatch_t{-1, -1};
  return 0;
}

void regfree(regex_t* expression) {
  auto* const made = reinterpret_cast<Expression*>(expression->buffer);
  if (made == nullptr) return;
  free(made->nodes);
  free(made);
  expression->buffer = nullptr;
}

size_t regerror(int error, const regex_t*, char* to, size_t size) {
  const bool known = error >= 0 && static_cast<size_t>(error) < sizeof kErrors / sizeof *kErrors;
  const char* const text = known ? kErrors[error] : "Unknown error";
  if (size > 0) snprintf(to, size, "%s", text);
  return strlen(text) + 1;
}

}  // extern "C"
