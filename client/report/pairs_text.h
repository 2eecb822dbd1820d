// What a check saw changed and which pairs of threads it chose: the short form during a check, the long one of
// `heddle pairs`.
//
// In:      the engine's comparison of two versions.
// Out:     text; of many fragments or pairs the rest is counted.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

// "path:line:column", as far as they are known.
std::string place_prefix(const Style& style, const std::string& file, uint32_t line, uint32_t column);

// Does a fragment lie at "file" or "file:line"? An empty place has all of them.
bool lies_at(const v1::Fragment& fragment, const std::string& place);

std::string diffed_text(const v1::Diffed& diffed, const std::string& target, const Style& style);
std::string pairs_text(const v1::Diffed& diffed, const std::string& place, const Style& style);

}  // namespace heddle::client
