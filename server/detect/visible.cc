#include "server/detect/visible.h"

#include <cctype>
#include <map>
#include <set>

namespace heddle::detect {

using program::CodeAddress;
using program::FunctionId;

namespace {

constexpr std::string_view kIn = " in ";

// "...:12:3"
bool ends_with_place(std::string_view text) {
  for (int number = 0; number < 2; ++number) {
    size_t digits = 0;
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.back()))) text.remove_suffix(1), ++digits;
    if (digits == 0 || !text.ends_with(':')) return false;
    text.remove_suffix(1);
  }
  return true;
}

}  // namespace

std::string place_text(const program::Program& program, CodeAddress at) {
  const program::Place& place = program.place(at);
  return program.file_of(at) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

VisibleStatement visible_statement(const program::Program& program, CodeAddress at) {
  return {place_text(program, at), program.stable_name(at.function)};
}

VisibleStatement read_visible_statement(const std::string& text) {
  for (size_t at = text.find(kIn); at != std::string::npos; at = text.find(kIn, at + 1))
    if (ends_with_place(std::string_view(text).substr(0, at)))
      return {text.substr(0, at), text.substr(at + kIn.size())};
  return {text, ""};
}

std::vector<CodeAddress> visible_addresses(const program::Program& program, const std::vector<std::string>& texts) {
  std::vector<CodeAddress> result;
  if (texts.empty()) return result;
  std::map<std::string, std::set<std::string>> wanted;  // stable name -> places
  for (const std::string& text : texts) {
    const VisibleStatement statement = read_visible_statement(text);
    wanted[statement.function].insert(statement.place);
  }
  std::set<std::string> known;
  std::vector<std::string> names;
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    names.push_back(program.stable_name(FunctionId(f)));
    if (wanted.count(names.back())) known.insert(names.back());
  }
  std::set<std::string> anywhere;
  for (const auto& [function, places] : wanted)
    if (!known.count(function)) anywhere.insert(places.begin(), places.end());
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    const program::Function& function = program.function(FunctionId(f));
    const auto own = wanted.find(names[f]);
    const bool project = function.in_project && !anywhere.empty();
    if (own == wanted.end() && !project) continue;
    for (uint32_t i = 0; i < function.code.size(); ++i) {
      const std::string place = place_text(program, {FunctionId(f), i});
      if ((own != wanted.end() && own->second.count(place)) || (project && anywhere.count(place)))
        result.push_back({FunctionId(f), i});
    }
  }
  return result;
}

}  // namespace heddle::detect
