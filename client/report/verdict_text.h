// The words of a verdict: one line that names its scope, then what it rests on. It never reads as "the program is
// correct".
//
// In:      a verdict, its target.
// Out:     text.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    `README.md`, "What a verdict means".
#pragma once

#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

inline constexpr unsigned kVerdictColumns = 100;
// At most that many columns. What did not fit is in verdict_words() and verdict_details().
std::string verdict_line(const v1::Verdict& verdict, const std::string& target, const Style& style,
                         unsigned columns = kVerdictColumns);
// All of its scope, without colours.
std::string verdict_words(const v1::Verdict& verdict);
// Why there is no answer, as far as the line does not say it: lines of their own; empty if there was an answer.
std::string verdict_reasons(const v1::Verdict& verdict, const Style& style);
// "with WORKERS 2 in place of 4 (pool.c:3), every interleaving is explored: clear, 211 interleavings"
std::string smaller_text(const v1::Smaller& smaller, const Style& style);
// Known findings, and how much more --verbose says: a line for each, or none.
std::string verdict_notes(const v1::Verdict& verdict, const Style& style);
// Assumptions, limits, unknown functions, widened scope: one line each, indented; empty if there are none.
std::string verdict_details(const v1::Verdict& verdict, const Style& style);

}  // namespace heddle::client
