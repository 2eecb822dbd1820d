// Writes units as bytes and reads them back, for the disk cache and for the compiling process.
//
// In:      a unit, or bytes.
// Out:     a flat little-endian byte string that begins with a format number, or a unit that passes verify().
// Cost:    linear in the unit.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   read_unit returns nothing if the bytes have another format number, are too short or too long, or hold no
//          sound unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/program/unit.h"

namespace heddle::program {

inline constexpr uint32_t kUnitFormat = 4;

std::string write_unit(const Unit& unit);
std::optional<Unit> read_unit(std::string_view bytes);

}  // namespace heddle::program
