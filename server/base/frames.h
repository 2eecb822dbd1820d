// Length-prefixed frames over a socket or pipe.
//
// In:      a file descriptor; a frame is a 4-byte little-endian length and that many bytes.
// Out:     whole frames; partial reads are kept until the rest arrives.
// Owns:    the buffer, not the descriptor. Threads: one.
// Fails:   a length above the limit makes the reader broken for good: the other side does not speak our language.
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
  // Takes what can be read now without blocking (the descriptor may be blocking or not).
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

std::string frame_head(size_t bytes);  // what goes before so many bytes

// Writes one frame completely; waits when the other side is slow. False when the other side is gone.
bool write_frame(int fd, std::string_view payload);

}  // namespace heddle::base
