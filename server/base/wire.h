// Values as bytes, for messages between processes of one version on one machine.
//
// In:      numbers and texts; bytes.
// Out:     bytes; the same values in the same order.
// Owns:    the writer its bytes; the reader nothing: its texts end with the bytes that it reads.
// Threads: one at a time for each object.
// Fails:   bytes that hold no such value make the reader bad for good; what it gives from then on is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::base {

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

}  // namespace heddle::base
