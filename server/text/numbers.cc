#include "server/text/numbers.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <utility>

#include "server/text/grouped.h"

namespace heddle::text {

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  std::string text = grouped(count) + " ";
  text += count == 1 || many.empty() ? one : many;
  if (count != 1 && many.empty()) text += 's';
  return text;
}

std::string age_text(int64_t then_unix_ms, int64_t now_unix_ms) {
  const uint64_t seconds = now_unix_ms > then_unix_ms ? static_cast<uint64_t>(now_unix_ms - then_unix_ms) / 1000 : 0;
  // Two of a unit before it is used: "90 seconds ago" says more than "1 minute ago".
  if (seconds < 2) return "just now";
  if (seconds < 120) return counted(seconds, "second") + " ago";
  if (seconds < 7200) return counted(seconds / 60, "minute") + " ago";
  if (seconds < 172'800) return counted(seconds / 3600, "hour") + " ago";
  return counted(seconds / 86'400, "day") + " ago";
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds >= 10 || seconds == static_cast<int>(seconds) ? "%.0f s" : "%.1f s",
                seconds);
  return text;
}

std::optional<double> seconds_from(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},   {"s", 1},    {"sec", 1},
                                                            {"m", 60}, {"min", 60}, {"h", 3600}};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string_view name(rest, static_cast<size_t>(end - rest));
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  const auto* const unit = std::ranges::find(kUnits, name, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || unit == std::end(kUnits)) return std::nullopt;
  const double seconds = value * unit->second;
  if (!(seconds >= 0 && seconds <= kSecondsMax)) return std::nullopt;
  return seconds;
}

}  // namespace heddle::text
