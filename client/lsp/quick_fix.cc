#include "client/lsp/quick_fix.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "server/text/lines.h"

namespace heddle::client::lsp {

using text::trimmed;

namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), letter);
}

std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
  return text.substr(0, end);
}

// A whole statement on one line, of which nothing is left over for the lines around it.
bool is_statement(std::string_view line) {
  static const std::set<std::string_view> kOthers = {"if",   "else",    "for",  "while", "do",      "switch",
                                                     "case", "default", "goto", "break", "continue"};
  if (!line.ends_with(';') || std::count(line.begin(), line.end(), ';') != 1) return false;
  if (line.find('{') != line.npos || line.find('}') != line.npos || line.starts_with('#')) return false;
  return kOthers.count(first_word(line)) == 0;
}

// "int x = y;" makes a name that the block would hide.
bool declares(std::string_view line) {
  const std::string_view type = first_word(line);
  if (type.empty()) return false;
  std::string_view rest = trimmed(line.substr(type.size()));
  while (!rest.empty() && (rest.front() == '*' || rest.front() == '&')) rest.remove_prefix(1);
  const std::string_view name = first_word(trimmed(rest));
  return !name.empty() && line.size() > type.size() &&
         (line[type.size()] == ' ' || line[type.size()] == '*' || line[type.size()] == '\t') &&
         !std::isdigit(static_cast<unsigned char>(name[0]));
}

bool opens_a_body(std::string_view line) {
  return (line.ends_with(')') && (line.starts_with("if") || line.starts_with("for") || line.starts_with("while") ||
                                  line.starts_with("else if") || line.starts_with("} else if"))) ||
         line == "else" || line == "} else" || line == "do";
}

// How a partner takes the lock.
struct Taking {
  enum class Way : uint8_t { Pthread, C11, Guard } way = Way::Guard;
  std::string lock;   // as it is written there: "m", "mutex_", "account.mutex"
  std::string guard;  // "std::lock_guard<std::mutex>"
};

std::string last_name(const std::string& expression) {
  const size_t dot = expression.find_last_of(".>:");
  return dot == expression.npos ? expression : expression.substr(dot + 1);
}

// "Account::" of "Account::deposit(int)".
std::string class_of(const std::string& function) {
  const std::string name = function.substr(0, function.find('('));
  const size_t colons = name.rfind("::");
  return colons == name.npos ? "" : name.substr(0, colons);
}

std::optional<Taking> taking_in(std::string_view line) {
  static const std::regex kCall(R"((pthread_mutex_lock|mtx_lock)\s*\(\s*&\s*([\w.>-]+)\s*\))");
  static const std::regex kGuard(
      R"(((?:std::)?(?:lock_guard|scoped_lock|unique_lock|shared_lock)(?:\s*<[^;()]*>)?)\s+\w+\s*[({]\s*([\w.>:-]+)\s*[)}])");
  static const std::regex kMember(R"(([\w.>-]+?)(?:\.|->)lock\s*\(\s*\)\s*;)");
  std::cmatch found;
  if (std::regex_search(line.begin(), line.end(), found, kCall))
    return Taking{found[1] == "mtx_lock" ? Taking::Way::C11 : Taking::Way::Pthread, found[2], ""};
  if (std::regex_search(line.begin(), line.end(), found, kGuard)) return Taking{Taking::Way::Guard, found[2], found[1]};
  if (std::regex_search(line.begin(), line.end(), found, kMember))
    return Taking{Taking::Way::Guard, found[1], "std::lock_guard"};
  return std::nullopt;
}

// Upwards from the partner, then from the end of its file: a caller may have taken it.
std::optional<Taking> taking_of(const PartnerText& partner, const std::string& lock) {
  const auto fits = [&](size_t line) -> std::optional<Taking> {
    auto taking = taking_in(partner.text->line(line));
    return taking && last_name(taking->lock) == last_name(lock) ? taking : std::nullopt;
  };
  for (size_t line = std::min<size_t>(partner.line, partner.text->line_count()); line-- > 0;)
    if (auto taking = fits(line)) return taking;
  for (size_t line = partner.text->line_count(); line-- > partner.line;)
    if (auto taking = fits(line)) return taking;
  return std::nullopt;
}

// A guard that excludes all others where the statement writes, and that only its block holds.
std::string guard_type(const std::string& seen, const v1::Statement& statement) {
  const size_t shared = seen.find("shared_lock"), unique = seen.find("unique_lock");
  if (shared != seen.npos && statement.kind() != "read") return std::string(seen).replace(shared, 11, "unique_lock");
  if (unique != seen.npos) return std::string(seen).replace(unique, 11, "lock_guard");
  return seen;
}

bool is_word(const std::string& text, const std::string& word) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !letter(text[at - 1])) && (at + word.size() == text.size() || !letter(text[at + word.size()])))
      return true;
  }
  return false;
}

std::string new_name(const Text& text) {
  std::string name = "guard";
  for (int n = 2; is_word(text.content(), name); ++n) name = "guard" + std::to_string(n);
  return name;
}

}  // namespace

std::string missing_lock(const v1::Statement& statement) {
  std::map<std::string, int> holders;
  for (const v1::Partner& partner : statement.partners()) {
    for (const std::string& lock : partner.locks()) ++holders[lock];
  }
  std::string best;
  for (const auto& [lock, count] : holders) {
    const auto& own = statement.locks();
    if (std::find(own.begin(), own.end(), lock) != own.end()) continue;
    if (best.empty() || count > holders[best]) best = lock;
  }
  return best;
}

std::variant<LockFix, std::string> take_lock_fix(const Text& text, size_t offset, const v1::Statement& statement,
                                                 const std::vector<PartnerText>& partners) {
  const std::string lock = missing_lock(statement);
  if (lock.empty()) return std::string("no lock surely guards the other accesses");
  if (!is_name(lock)) return "the lock '" + lock + "' has no name that can be written here";
  std::optional<Taking> taking;
  for (const PartnerText& partner : partners) {
    if (!(taking = taking_of(partner, lock))) continue;
    // A member's short name means the same in functions of its class only; else the object is named, too.
    const std::string own = class_of(statement.place().function());
    const bool same_class = !own.empty() && own == class_of(partner.function);
    if (taking->lock != lock && !same_class) taking->lock = lock;
    if (taking->way == Taking::Way::Guard || taking->lock == lock) break;
  }
  if (!taking) return "how '" + lock + "' is taken is not seen in the other accesses' file";
  const std::string name = taking->lock.substr(0, taking->lock.find_first_of(".-"));
  const bool member = taking->lock != lock;
  if (!member && text.content().find(name) == std::string::npos)
    return "the lock '" + lock + "' is not declared in this file";

  const size_t number = text.line_of(offset);
  const std::string_view line = text.line(number);
  const std::string_view own = trimmed(line);
  const std::string indent(line.substr(0, line.find_first_not_of(" \t")));
  const std::string deeper = indent + (indent.find('\t') == indent.npos ? "  " : "\t");
  const bool body = number > 0 && opens_a_body(trimmed(text.line(number - 1)));
  const bool guard = taking->way == Taking::Way::Guard;
  const bool must_stay_in_block = first_word(own) == "return" || declares(own);
  if (!is_statement(own) || (must_stay_in_block && (!guard || body)))
    return std::string("the access is no statement of its own line");
  LockFix fix;
  fix.lock = lock;
  const size_t begin = text.offset_of_place(static_cast<uint32_t>(number + 1), 1);
  fix.replaced = {begin, begin + line.size()};
  if (guard) {
    const std::string take = guard_type(taking->guard, statement) + " " + new_name(text) + "(" + taking->lock + ");";
    fix.text = must_stay_in_block
                   ? indent + take + "\n" + std::string(line)
                   : indent + "{\n" + deeper + take + "\n" + deeper + std::string(own) + "\n" + indent + "}";
    return fix;
  }
  const std::string prefix = taking->way == Taking::Way::C11 ? "mtx" : "pthread_mutex";
  const std::string inner = body ? deeper : indent;
  fix.text = (body ? indent + "{\n" : "") + inner + prefix + "_lock(&" + taking->lock + ");\n" + inner +
             std::string(own) + "\n" + inner + prefix + "_unlock(&" + taking->lock + ");" +
             (body ? "\n" + indent + "}" : "");
  return fix;
}

}  // namespace heddle::client::lsp
