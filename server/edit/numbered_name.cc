#include "server/edit/numbered_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace heddle::edit {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool opens(char c) { return c == '(' || c == '<' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == '>' || c == ']' || c == '}'; }

// Where the name begins that ends in front of `end`: after a comma, a bracket, or the space after a type.
size_t begin_of(const std::string& text, size_t end) {
  size_t depth = 0;
  for (size_t n = end; n-- > 0;) {
    const char c = text[n];
    if (closes(c)) ++depth;
    if (opens(c) && depth-- == 0) return n + 1;
    if (depth > 0) continue;
    if (c == ',') return n + 1;
    const auto follows = [&](std::string_view word) { return text.compare(n + 1, word.size(), word) == 0; };
    if (c == ' ' && !follows("const") && !follows("volatile") && !follows("&")) return n + 1;
  }
  return 0;
}

bool is_outermost(const std::string& text, size_t end) {
  size_t depth = 0;
  for (size_t n = 0; n < end; ++n) {
    if (opens(text[n])) ++depth;
    if (closes(text[n]) && depth > 0) --depth;
  }
  return depth == 0;
}

std::string readable(const std::string& link_name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(link_name.c_str(), nullptr, nullptr, &status);
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

// "main::$_1", "f()::{lambda(int)#2}", "f()::{unnamed type#1}".
void find_classes(NumberedName& name) {
  const std::string& text = name.text;
  for (size_t n = text.find_first_of("$#"); n != text.npos; n = text.find_first_of("$#", n + 1)) {
    const bool internal = text.compare(n, 2, "$_") == 0;
    const size_t number = n + (internal ? 2 : 1),
                 digits = std::min(text.find_first_not_of(kDigits, number), text.size());
    if (digits == number || (!internal && (digits == text.size() || text[digits] != '}'))) continue;
    size_t word = n;  // where "$_1" or "{lambda(int)#2}" begins
    if (!internal) {
      for (size_t depth = 1; word > 0 && depth > 0;) {
        --word;
        depth += closes(text[word]) ? 1 : 0;
        depth -= opens(text[word]) ? 1 : 0;
      }
    }
    const size_t end = digits + (internal ? 0 : 1);
    name.parts.push_back({begin_of(text, word), number, digits, end, is_outermost(text, word)});
  }
}

// "f.total.1" in C, "_ZZ1fvE5total_0" in C++; the first has no number.
void find_variable(NumberedName& name, const std::string& link_name) {
  const bool cxx = link_name.starts_with("_ZZ") || link_name.starts_with("_ZGVZ");
  if (!cxx && (link_name.starts_with("_Z") || link_name.starts_with(".") || link_name.starts_with("literal."))) return;
  const char mark = cxx ? '_' : '.';
  const size_t last = link_name.find_last_not_of(kDigits), first = link_name.find(mark, 1);
  if (first == link_name.npos) return;
  const bool counted = last != link_name.npos && last > 0 && last + 1 < link_name.size() && link_name[last] == mark;
  if (!counted && cxx && !std::isalnum(static_cast<unsigned char>(link_name.back()))) return;
  name.text = counted ? link_name.substr(0, last) : link_name;
  name.text += mark;
  const size_t number = name.text.size();
  if (counted) name.text += link_name.substr(last + 1);
  name.parts.push_back({0, number, name.text.size(), name.text.size(), true});
}

}  // namespace

NumberedName NumberedName::of(const Part& part) const {
  NumberedName result;
  if (is_variable() || text[part.number - 1] != '#') result.path = path;
  result.text = text.substr(part.begin, part.end - part.begin);
  for (Part inner : parts) {
    if (inner.begin < part.begin || inner.end > part.end) continue;
    for (size_t* at : {&inner.begin, &inner.number, &inner.digits, &inner.end}) *at -= part.begin;
    result.parts.push_back(inner);
  }
  return result;
}

std::string NumberedName::with(const std::function<std::string(const Part&)>& number) const {
  std::string result = rest + " " + path;
  size_t done = 0;
  for (const Part& part : parts) {
    result += text.substr(done, part.number - done) + number(part);
    done = part.digits;
  }
  return result + text.substr(done);
}

bool may_be_numbered(const std::string& name) {
  return name.find("$_") != name.npos || name.find("Ul") != name.npos || name.find("Ut") != name.npos ||
         name.find("_ZZ") != name.npos || name.find("_ZGVZ") != name.npos ||
         name.find('.', name.rfind(':') + 1) != name.npos;
}

NumberedName read_numbered(const std::string& name) {
  NumberedName result;
  const size_t link = name.rfind(':') + 1;
  result.path = name.substr(0, link);
  const std::string link_name = name.substr(link);
  if (!may_be_numbered(link_name)) return result;
  if (link_name.starts_with("_Z")) result.text = readable(link_name);
  find_classes(result);
  if (result.numbered())
    result.rest = without_numbers(link_name);
  else
    find_variable(result, link_name);
  return result;
}

std::string without_numbers(const std::string& link_name) {
  const bool in_header = link_name.find("Ul") != link_name.npos || link_name.find("Ut") != link_name.npos;
  std::string out;
  for (size_t n = 0; n < link_name.size(); ++n) {
    out += link_name[n];
    const bool internal = link_name[n] == '_' && n > 0 && link_name[n - 1] == '$';
    const bool unnamed = link_name[n] == 't' && n > 0 && link_name[n - 1] == 'U';
    if (!internal && !(in_header && (link_name[n] == 'E' || unnamed))) continue;
    const size_t end = std::min(link_name.find_first_not_of(kDigits, n + 1), link_name.size());
    if (internal || (end < link_name.size() && link_name[end] == '_')) n = end - 1;
  }
  return out;
}

}  // namespace heddle::edit
