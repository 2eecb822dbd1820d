// Writes a number with its digits in groups of three.
//
// In:      a number.
// Out:     text: "1,234,567".
// Owns:    nothing.
// Threads: a pure function.
// Fails:   never.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::text {

std::string grouped(uint64_t number);

}  // namespace heddle::text
