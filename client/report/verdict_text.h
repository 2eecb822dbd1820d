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

std::string verdict_line(const v1::Verdict& verdict, const std::string& target, const Style& style);
// Assumptions, limits, unknown functions, widened scope: one line each, indented; empty if there are none.
std::string verdict_details(const v1::Verdict& verdict, const Style& style);

}  // namespace heddle::client
