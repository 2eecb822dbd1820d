#include "server/daemon/frame_channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace heddle::daemon {

FrameChannel::FrameChannel(int fd) : fd_(fd), reader_(fd) {
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  fcntl(fd_, F_SETFD, FD_CLOEXEC);
}

FrameChannel::~FrameChannel() { close(fd_); }

std::string FrameChannel::send(const v1::Frame& frame) {
  const size_t size = frame.ByteSizeLong();
  if (std::string problem = base::too_large(size); !problem.empty()) return problem;
  if (state_ != State::Open) return "";
  out_ += base::frame_head(size);
  frame.AppendToString(&out_);
  flush();
  return "";
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
  const bool ended = reader_.fill() == base::FrameReader::State::Ended;
  while (const auto bytes = reader_.next()) {
    v1::Frame frame;
    if (!frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())) ||
        frame.body_case() == v1::Frame::BODY_NOT_SET) {
      state_ = State::Garbage;
      return frames;
    }
    frames.push_back(std::move(frame));
  }
  if (reader_.state() == base::FrameReader::State::Broken)
    state_ = State::Garbage;
  else if (ended)
    state_ = State::Closed;
  return frames;
}

}  // namespace heddle::daemon
