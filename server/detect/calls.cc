#include "server/detect/calls.h"

#include <algorithm>

#include "server/detect/describe.h"

namespace heddle::detect {

using machine::CodeAddress;
using machine::Event;
using machine::ThreadId;

namespace {

constexpr size_t kCallsMost = 64;

}  // namespace

// The project's calls below the one that is in the function of `at`; with `exactly` at this very instruction.
std::optional<CallRecorder::Stack> CallRecorder::callers_in(const Stack& stack, CodeAddress at, bool exactly) const {
  const auto frame = std::find_if(stack.begin(), stack.end(),
                                  [&](CodeAddress one) { return exactly ? one == at : one.function == at.function; });
  if (frame == stack.end()) return std::nullopt;
  Stack callers;
  for (auto next = frame + 1; next != stack.end() && callers.size() < kCallsMost; ++next)
    if (machine_.program().function(next->function).in_project) callers.push_back(*next);
  return callers;
}

uint32_t CallRecorder::number_of(const Stack& callers, ThreadId thread) {
  uint32_t caller = 0;
  for (auto at = callers.rbegin(); at != callers.rend(); ++at) {
    const auto [known, fresh] = known_.try_emplace({at->bits(), caller}, 0);
    if (fresh) {
      frames_.push_back({place_of(machine_, *at, thread, ""), caller});
      addresses_.push_back(*at);
      known->second = static_cast<uint32_t>(frames_.size());
    }
    caller = known->second;
  }
  return caller;
}

std::optional<uint32_t> CallRecorder::caller_of(const CallsAround& calls, const Event& event, ThreadId thread) {
  const CodeAddress at = event.user.function.valid() ? event.user : event.operation.at;
  if (!at.function.valid()) return std::nullopt;
  const auto before = callers_in(calls.before, at, event.visible);
  if (event.visible) return before ? std::optional(number_of(*before, thread)) : std::nullopt;
  const auto after = callers_in(calls.after, at, false);
  if (!before && !after) return std::nullopt;
  if (before && after && *before != *after) return std::nullopt;  // called twice: in which of the two is not known
  return number_of(before ? *before : *after, thread);
}

}  // namespace heddle::detect
