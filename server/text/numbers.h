// Counts, ages and durations as people read and write them, in the engine's verdicts and on the command line.
//
// In:      a count and what is counted; two dates in milliseconds since 1970; seconds, or their text.
// Out:     text in English: "1 pair", "1,234 pairs", "2 minutes ago".
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; a date in the future is "just now"; nothing for a text that is no time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::text {

std::string counted(uint64_t count, std::string_view one, std::string_view many = {});  // many: if not `one` with an s
std::string age_text(int64_t then_unix_ms, int64_t now_unix_ms);

std::string seconds_text(double seconds);  // "30 s", "0.5 s"

inline constexpr double kSecondsMax = 1e9;  // about 30 years
inline constexpr char kTimesRead[] = "90, 90s, 5min or 2h";
// Seconds, or a number with a unit: see kTimesRead. At least 0, at most kSecondsMax.
std::optional<double> seconds_from(std::string_view text);

}  // namespace heddle::text
