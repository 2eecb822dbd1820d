// The text form of schedules: "0 0 1 2:1 0"; runs of one choice as "0*3"; "1=5" finds the value 5, "1=5/2" one of 16
// bytes whose upper 8 are 2, "1=5@2" the one of the second store of an unknown value; the store of "1^" is earlier than
// the newest one.
#include <charconv>

#include "server/detect/finding.h"

namespace heddle::detect {

machine::Outcome perform(machine::Machine& machine, const Choice& choice) {
  if (choice.earlier) machine.store_earlier(choice.thread);
  if (choice.found)
    return machine.perform_finding(choice.thread, *choice.found, choice.alternative, choice.stored_by,
                                   choice.found_high);
  return machine.perform(choice.thread, choice.alternative);
}

std::string print(const Schedule& schedule) {
  std::string text;
  for (size_t n = 0; n < schedule.size();) {
    size_t end = n + 1;
    while (end < schedule.size() && schedule[end] == schedule[n]) ++end;
    if (!text.empty()) text += ' ';
    text += std::to_string(schedule[n].thread.value);
    if (schedule[n].alternative != 0) text += ':' + std::to_string(schedule[n].alternative);
    if (schedule[n].found) text += '=' + std::to_string(*schedule[n].found);
    if (schedule[n].found_high != 0) text += '/' + std::to_string(schedule[n].found_high);
    if (schedule[n].stored_by) text += '@' + std::to_string(*schedule[n].stored_by);
    if (schedule[n].earlier) text += '^';
    if (end - n > 1) text += '*' + std::to_string(end - n);
    n = end;
  }
  return text;
}

namespace {

template <typename Number>
bool read_number(std::string_view& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool skip(std::string_view& text, char what) {
  if (text.empty() || text.front() != what) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Schedule> read_schedule(std::string_view text) {
  constexpr size_t kChoicesMost = 1'000'000;  // three times as many as a path has
  Schedule schedule;
  while (skip(text, ' ')) {}
  while (!text.empty()) {
    uint32_t thread = 0, alternative = 0, count = 1;
    if (!read_number(text, thread)) return std::nullopt;
    if (skip(text, ':') && !read_number(text, alternative)) return std::nullopt;
    std::optional<uint64_t> found;
    if (skip(text, '=') && !read_number(text, found.emplace())) return std::nullopt;
    uint64_t high = 0;
    if (found && skip(text, '/') && !read_number(text, high)) return std::nullopt;
    std::optional<uint32_t> stored_by;
    if (found && skip(text, '@') && !read_number(text, stored_by.emplace())) return std::nullopt;
    const bool earlier = skip(text, '^');
    if (skip(text, '*') && !read_number(text, count)) return std::nullopt;
    if (count == 0 || schedule.size() + count > kChoicesMost) return std::nullopt;
    schedule.insert(schedule.end(), count,
                    Choice{machine::ThreadId(thread), alternative, found, stored_by, earlier, high});
    if (!text.empty() && !skip(text, ' ')) return std::nullopt;
    while (skip(text, ' ')) {}
  }
  return schedule;
}

}  // namespace heddle::detect
