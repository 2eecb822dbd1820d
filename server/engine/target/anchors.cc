#include "server/engine/target/anchors.h"

#include <algorithm>
#include <cstdlib>

#include "server/detect/visible.h"

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
  for (v1::CallFrame& frame : *out.mutable_frames()) move(*frame.mutable_place());
  for (std::string& text : *out.mutable_visible()) move_visible(text);
  return out;
}

// By the first of its statements that is still there.
v1::Fragment Anchors::moved(const v1::Fragment& fragment) const {
  v1::Fragment out = fragment;
  if (before_ == after_) return out;
  const auto end = code_.lower_bound(Key{fragment.file(), fragment.end_line() + 1, 0});
  for (auto at = code_.lower_bound(Key{fragment.file(), fragment.begin_line(), 0}); at != end; ++at) {
    const std::optional<CodeAddress> next = successor(at->second);
    const uint32_t line = std::get<1>(at->first), now = next ? after_->place(*next).line : 0;
    if (line == 0 || now == 0) continue;
    out.set_file(after_->file_of(*next));
    out.set_begin_line(fragment.begin_line() + now - line);
    out.set_end_line(fragment.end_line() + now - line);
    break;
  }
  return out;
}

void Anchors::move_visible(std::string& text) const {
  const detect::VisibleStatement statement = detect::read_visible_statement(text);
  const std::string& place = statement.place;
  const size_t column = place.rfind(':');
  const size_t line = column == std::string::npos || column == 0 ? std::string::npos : place.rfind(':', column - 1);
  if (line == std::string::npos) return;
  const Key key{place.substr(0, line), static_cast<uint32_t>(std::atoi(place.c_str() + line + 1)),
                static_cast<uint32_t>(std::atoi(place.c_str() + column + 1))};
  const auto [begin, end] = code_.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    if (!statement.function.empty() && before_->stable_name(at->second.function) != statement.function) continue;
    const std::optional<CodeAddress> next = successor(at->second);
    if (!next) continue;
    text = detect::visible_statement(*after_, *next).text();
    return;
  }
}

std::vector<CodeAddress> Anchors::addresses(const google::protobuf::RepeatedPtrField<std::string>& visible) const {
  return detect::visible_addresses(*after_, {visible.begin(), visible.end()});
}

}  // namespace heddle::engine
