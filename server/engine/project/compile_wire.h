// Encodes the messages between the engine and its compiling process.
//
// In:      values of the front end, or bytes. The compiling process has read the checkout, so its bytes are checked
//          like a file.
// Out:     bytes, or values.
// Owns:    a writer its bytes; a reader refers to the bytes it reads.
// Threads: one per writer or reader; the functions are pure.
// Fails:   read_jobs and read_result return nothing for bytes that are no such value. WireReader then returns zeros,
//          and good() is false.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/base/wire.h"
#include "server/frontend/frontend.h"

namespace heddle::engine {

// The first byte of a frame: to the process, and from it. Prepare: the paths of the files that are edited, and
// jobs that may come next.
enum class CompileOrder : uint8_t { Compile, Prepare, Rest, Drop, Harness };
enum class CompileNews : uint8_t { Ready, Begin, Result, End, Harness };

void write_paths(base::WireWriter& out, const std::vector<std::string>& paths);
std::optional<std::vector<std::string>> read_paths(base::WireReader& in);

// Overlays that all jobs share are written once.
void write_jobs(base::WireWriter& out, const std::vector<frontend::CompileJob>& jobs, const std::vector<size_t>& which);
std::optional<std::vector<frontend::CompileJob>> read_jobs(base::WireReader& in);

// `known`: the unit is the one that was sent last for this file.
void write_result(base::WireWriter& out, const frontend::CompileResult& result, bool known);
std::optional<frontend::CompileResult> read_result(base::WireReader& in, const program::UnitPtr& known);

void write_order(base::WireWriter& out, const frontend::HarnessOrder& order);
std::optional<frontend::HarnessOrder> read_order(base::WireReader& in);
void write_harness(base::WireWriter& out, const frontend::Harness& harness);
std::optional<frontend::Harness> read_harness(base::WireReader& in);

}  // namespace heddle::engine
