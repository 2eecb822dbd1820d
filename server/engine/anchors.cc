#include "server/engine/anchors.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::engine {

using program::CodeAddress;
using program::FunctionId;

Anchors::Anchors(program::ProgramPtr before, program::ProgramPtr after)
    : before_(std::move(before)), after_(std::move(after)) {
  if (before_ == after_) return;
  for (uint32_t f = 0; f < before_->function_count(); ++f) {
    const program::Function& function = before_->function(FunctionId(f));
    if (!function.in_project) continue;
    for (uint32_t i = 0; i < function.code.size(); ++i) {
      const CodeAddress at{FunctionId(f), i};
      const program::Place& place = before_->place(at);
      code_.emplace(Key{before_->file_of(at), place.line, place.column}, at);
    }
  }
  for (uint32_t f = 0; f < after_->function_count(); ++f)
    functions_.emplace(after_->stable_name(FunctionId(f)), FunctionId(f));
}

// The same instruction of the same function, while the shape of its code is the same.
std::optional<CodeAddress> Anchors::successor(CodeAddress at) const {
  const auto found = functions_.find(before_->stable_name(at.function));
  if (found == functions_.end()) return std::nullopt;
  const program::Function& old_function = before_->function(at.function);
  const program::Function& new_function = after_->function(found->second);
  if (old_function.hash != new_function.hash && old_function.code.size() != new_function.code.size())
    return std::nullopt;
  return CodeAddress{found->second, at.index};
}

void Anchors::move(v1::Place& place) const {
  const auto [begin, end] = code_.equal_range(Key{place.file(), place.line(), place.column()});
  for (auto at = begin; at != end; ++at) {
    if (before_->function(at->second.function).display_name != place.function()) continue;
    const std::optional<CodeAddress> next = successor(at->second);
    if (!next) continue;
    const program::Place& where = after_->place(*next);
    if (where.line == 0) continue;
    place.set_file(after_->file_of(*next));
    place.set_line(where.line);
    place.set_column(where.column);
    return;
  }
}

v1::Finding Anchors::moved(const v1::Finding& finding) const {
  v1::Finding out = finding;
  if (before_ == after_) return out;
  for (v1::Place& place : *out.mutable_places()) move(place);
  for (v1::TraceStep& step : *out.mutable_trace()) move(*step.mutable_place());
  for (std::string& text : *out.mutable_visible()) {
    const size_t column = text.rfind(':');
    const size_t line = column == std::string::npos || column == 0 ? std::string::npos : text.rfind(':', column - 1);
    if (line == std::string::npos) continue;
    const Key key{text.substr(0, line), static_cast<uint32_t>(std::atoi(text.c_str() + line + 1)),
                  static_cast<uint32_t>(std::atoi(text.c_str() + column + 1))};
    const auto found = code_.find(key);
    if (found == code_.end()) continue;
    const std::optional<CodeAddress> next = successor(found->second);
    if (!next) continue;
    const program::Place& where = after_->place(*next);
    text = after_->file_of(*next) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  }
  return out;
}

std::vector<CodeAddress> Anchors::addresses(const google::protobuf::RepeatedPtrField<std::string>& places) const {
  std::vector<CodeAddress> out;
  if (places.empty()) return out;
  for (uint32_t f = 0; f < after_->function_count(); ++f) {
    const program::Function& function = after_->function(FunctionId(f));
    if (!function.in_project) continue;
    for (uint32_t i = 0; i < function.code.size(); ++i) {
      const CodeAddress at{FunctionId(f), i};
      const program::Place& place = after_->place(at);
      const std::string text =
          after_->file_of(at) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
      if (std::find(places.begin(), places.end(), text) != places.end()) out.push_back(at);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace heddle::engine
