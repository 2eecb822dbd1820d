// What the engine and its compiling process tell each other.
//
// In/Out:  values of the front end as bytes, and back. The bytes that come back are made by a process that has read
//          whatever the checkout holds: they are looked at as carefully as a file.
// Threads: pure functions.
// Fails:   nothing, for bytes that are none of these values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::engine {

enum class CompileOrder : uint8_t { Compile, Prepare, Rest, Drop };      // to the process; the first byte of a frame
enum class CompileNews : uint8_t { Ready, Begin, Result, End };          // from it

class WireWriter {
 public:
  WireWriter& number(uint64_t value);
  WireWriter& text(std::string_view value);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}
  uint64_t number();
  std::string_view text();
  // A number of things that follow, each at least `bytes_least` long.
  size_t count(size_t bytes_least);
  bool good() const { return good_; }
  bool ended() const { return good_ && left_.empty(); }

 private:
  std::string_view left_;
  bool good_ = true;
};

// Overlays that all jobs share are written once.
void write_jobs(WireWriter& out, const std::vector<frontend::CompileJob>& jobs, const std::vector<size_t>& which);
std::optional<std::vector<frontend::CompileJob>> read_jobs(WireReader& in);

// `known`: the unit is the one that was told last of this file.
void write_result(WireWriter& out, const frontend::CompileResult& result, bool known);
std::optional<frontend::CompileResult> read_result(WireReader& in, const program::UnitPtr& known);

}  // namespace heddle::engine
