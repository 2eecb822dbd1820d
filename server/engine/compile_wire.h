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
  // The number of items that follow, each at least `bytes_least` long.
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

// `known`: the unit is the one that was sent last for this file.
void write_result(WireWriter& out, const frontend::CompileResult& result, bool known);
std::optional<frontend::CompileResult> read_result(WireReader& in, const program::UnitPtr& known);

}  // namespace heddle::engine
