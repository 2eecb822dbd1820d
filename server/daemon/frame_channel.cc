#include "server/daemon/frame_channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace heddle::daemon {

FrameChannel::FrameChannel(int fd) : fd_(fd) {
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  fcntl(fd_, F_SETFD, FD_CLOEXEC);
}

FrameChannel::~FrameChannel() { close(fd_); }

void FrameChannel::send(const v1::Frame& frame) {
  if (state_ != State::Open) return;
  const auto size = static_cast<uint32_t>(frame.ByteSizeLong());
  const char head[4] = {static_cast<char>(size), static_cast<char>(size >> 8), static_cast<char>(size >> 16),
                        static_cast<char>(size >> 24)};
  out_.append(head, sizeof head);
  frame.AppendToString(&out_);
  flush();
}

void FrameChannel::flush() {
  size_t done = 0;
  while (done < out_.size()) {
    const ssize_t n = ::send(fd_, out_.data() + done, out_.size() - done, MSG_NOSIGNAL);
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (errno == EINTR) {
      continue;
    } else {
      // A peer that died may have left answers to be read: receive() notices the end.
      if (errno != EAGAIN && errno != EWOULDBLOCK) done = out_.size();
      break;
    }
  }
  out_.erase(0, done);
}

std::vector<v1::Frame> FrameChannel::receive() {
  std::vector<v1::Frame> frames;
  char buffer[65536];
  while (state_ == State::Open) {
    const ssize_t n = read(fd_, buffer, sizeof buffer);
    if (n > 0) {
      in_.append(buffer, static_cast<size_t>(n));
      if (static_cast<size_t>(n) < sizeof buffer) break;
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else {
      if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) state_ = State::Closed;
      break;
    }
  }
  size_t at = 0;
  while (in_.size() - at >= 4) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(in_[at + i])); };
    const uint32_t size = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    if (size > kFrameBytesMax) {
      state_ = State::Garbage;
      break;
    }
    if (in_.size() - at - 4 < size) break;
    v1::Frame frame;
    if (!frame.ParseFromArray(in_.data() + at + 4, static_cast<int>(size)) ||
        frame.body_case() == v1::Frame::BODY_NOT_SET) {
      state_ = State::Garbage;
      break;
    }
    frames.push_back(std::move(frame));
    at += 4 + size;
  }
  in_.erase(0, at);
  return frames;
}

}  // namespace heddle::daemon
