// Units to bytes and back, for the disk cache and for compile jobs in forked children.
//
// In/Out:  a flat little-endian byte string with a format number in front.
// Fails:   read_unit returns nothing if the bytes are of another format number, cut short or out of range; a cache
//          entry that does not read is as good as none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/program/unit.h"

namespace heddle::program {

inline constexpr uint32_t kUnitFormat = 2;

std::string write_unit(const Unit& unit);
std::optional<Unit> read_unit(std::string_view bytes);

}  // namespace heddle::program
