// What the engine and its compiling process tell each other.
//
// In/Out:  values of the front end as bytes, and back. The bytes that come back are made by a process that has read
//          whatever the checkout holds: they are looked at as carefully as a file.
// Threads: pure functions.
// Fails:   nothing, for bytes that are none of these values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/base/wire.h"
#include "server/frontend/frontend.h"

namespace heddle::engine {

enum class CompileOrder : uint8_t { Compile, Prepare, Rest, Drop };      // to the process; the first byte of a frame
enum class CompileNews : uint8_t { Ready, Begin, Result, End };          // from it

// Overlays that all jobs share are written once.
void write_jobs(base::WireWriter& out, const std::vector<frontend::CompileJob>& jobs, const std::vector<size_t>& which);
std::optional<std::vector<frontend::CompileJob>> read_jobs(base::WireReader& in);

// `known`: the unit is the one that was told last of this file.
void write_result(base::WireWriter& out, const frontend::CompileResult& result, bool known);
std::optional<frontend::CompileResult> read_result(base::WireReader& in, const program::UnitPtr& known);

}  // namespace heddle::engine
