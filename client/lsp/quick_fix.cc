#include "client/lsp/quick_fix.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::client::lsp {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

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

// A whole simple statement on one line, of which nothing is left over for the lines around it.
bool is_simple_statement(std::string_view line) {
  static const std::set<std::string_view> kOthers = {"return", "if",   "else",    "for",  "while", "do",
                                                     "switch", "case", "default", "goto", "break", "continue"};
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
                                                 const std::string& partner_text) {
  const std::string lock = missing_lock(statement);
  if (lock.empty()) return std::string("no lock surely guards the other accesses");
  if (!is_name(lock)) return "the lock '" + lock + "' has no name that can be written here";
  const std::string name = lock.substr(0, lock.find('.'));
  if (text.content().find(name) == std::string::npos) return "the lock '" + lock + "' is not declared in this file";
  const size_t number = text.line_of(offset);
  const std::string_view line = text.line(number);
  const std::string_view own = trimmed(line);
  if (!is_simple_statement(own) || declares(own)) return std::string("the access is no statement of its own line");
  const std::string indent(line.substr(0, line.find_first_not_of(" \t")));
  LockFix fix;
  fix.lock = lock;
  const size_t begin = text.offset_of_place(static_cast<uint32_t>(number + 1), 1);
  fix.replaced = {begin, begin + line.size()};
  const bool body = number > 0 && opens_a_body(trimmed(text.line(number - 1)));
  if (partner_text.find("pthread_mutex_lock(&" + lock) != std::string::npos) {
    const std::string deeper = indent + (body ? "  " : "");
    fix.text = (body ? indent + "{\n" : "") + deeper + "pthread_mutex_lock(&" + lock + ");\n" + deeper +
               std::string(own) + "\n" + deeper + "pthread_mutex_unlock(&" + lock + ");" +
               (body ? "\n" + indent + "}" : "");
  } else if (partner_text.find("mtx_lock(&" + lock) != std::string::npos) {
    const std::string deeper = indent + (body ? "  " : "");
    fix.text = (body ? indent + "{\n" : "") + deeper + "mtx_lock(&" + lock + ");\n" + deeper + std::string(own) + "\n" +
               deeper + "mtx_unlock(&" + lock + ");" + (body ? "\n" + indent + "}" : "");
  } else if (partner_text.find("(" + lock + ")") != std::string::npos &&
             partner_text.find("std::") != std::string::npos) {
    fix.text = indent + "{\n" + indent + "  std::lock_guard guard(" + lock + ");\n" + indent + "  " + std::string(own) +
               "\n" + indent + "}";
  } else {
    return "how '" + lock + "' is taken is not seen in the other accesses' file";
  }
  return fix;
}

}  // namespace heddle::client::lsp
