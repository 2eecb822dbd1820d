// Reads and writes length-prefixed frames over a socket or pipe.
//
// In:      a file descriptor. A frame is a 4-byte little-endian length and that many bytes.
// Out:     whole frames; parts are kept until the rest arrives.
// Cost:    linear in the bytes.
// Owns:    the buffer, not the descriptor.
// Threads: one per reader; write_frame may be called anywhere, one call at a time per descriptor.
// Fails:   a length above kFrameBytesMax makes the reader broken for good. write_frame is false if the other side is
//          gone, provided that SIGPIPE is ignored, and writes nothing if the frame is too large: see too_large().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::base {

inline constexpr uint32_t kFrameBytesMax = 512u << 20;

class FrameReader {
 public:
  enum class State : uint8_t { Open, Ended, Broken };

  explicit FrameReader(int fd) : fd_(fd) {}
  // Reads what is there without blocking (the descriptor may be blocking or not).
  State fill();
  // The next whole frame, valid until the next call of fill or next.
  std::optional<std::string_view> next();
  State state() const { return state_; }
  int fd() const { return fd_; }

 private:
  int fd_;
  State state_ = State::Open;
  std::string buffer_;
  size_t begin_ = 0;
};

std::string frame_head(size_t bytes);  // what precedes a frame of that length

// A frame that no reader takes: what to say instead. Empty: it is none.
std::string too_large(size_t bytes);

// Writes one frame completely; waits when the other side is slow. False when the other side is gone, or would break.
bool write_frame(int fd, std::string_view payload);

}  // namespace heddle::base
