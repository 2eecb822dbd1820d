#include "server/base/frames.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>

namespace heddle::base {

namespace {

constexpr size_t kReadBytes = 64 * 1024;

uint32_t length_at(const char* bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes);
  return b[0] | b[1] << 8 | b[2] << 16 | static_cast<uint32_t>(b[3]) << 24;
}

}  // namespace

FrameReader::State FrameReader::fill() {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  while (state_ == State::Open) {
    pollfd ready{fd_, POLLIN, 0};
    const int count = ::poll(&ready, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    const size_t old = buffer_.size();
    buffer_.resize(old + kReadBytes);
    const ssize_t got = ::read(fd_, buffer_.data() + old, kReadBytes);
    buffer_.resize(old + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) state_ = State::Ended;
  }
  return state_;
}

std::optional<std::string_view> FrameReader::next() {
  if (state_ == State::Broken || buffer_.size() - begin_ < 4) return std::nullopt;
  const uint32_t length = length_at(buffer_.data() + begin_);
  if (length > kFrameBytesMax) {
    state_ = State::Broken;
    return std::nullopt;
  }
  if (buffer_.size() - begin_ - 4 < length) return std::nullopt;
  const std::string_view frame(buffer_.data() + begin_ + 4, length);
  begin_ += 4 + length;
  return frame;
}

std::string frame_head(size_t bytes) {
  std::string head;
  for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>(bytes >> shift);
  return head;
}

std::string too_large(size_t bytes) {
  if (bytes <= kFrameBytesMax) return "";
  return "a message of " + std::to_string(bytes >> 20) + " MB is more than the " +
         std::to_string(kFrameBytesMax >> 20) + " MB that one may have";
}

bool write_frame(int fd, std::string_view payload) {
  if (payload.size() > kFrameBytesMax) return false;
  std::string bytes = frame_head(payload.size());
  bytes += payload;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (wrote > 0) {
      done += static_cast<size_t>(wrote);
    } else if (wrote < 0 && errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (wrote == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace heddle::base
