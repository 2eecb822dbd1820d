// Frames over a socket: a 4-byte little-endian length, then one Frame. It never blocks.
//
// In:      a connected stream socket, which becomes non-blocking; frames to send.
// Out:     the frames that have arrived, each of at most kFrameBytesMax bytes.
// Owns:    the socket, and the bytes that wait in either direction.
// Threads: one at a time.
// Fails:   a peer that is gone or sends what is no frame ends the channel. receive() notices it, state() says which.
//          After a failed send what was queued is dropped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/v1/engine.pb.h"
#include "server/base/frames.h"

namespace heddle::daemon {

class FrameChannel {
 public:
  enum class State : uint8_t { Open, Closed, Garbage };

  explicit FrameChannel(int fd);
  ~FrameChannel();
  FrameChannel(const FrameChannel&) = delete;
  FrameChannel& operator=(const FrameChannel&) = delete;

  int fd() const { return fd_; }
  State state() const { return state_; }
  // Queues, and writes what the socket takes. Of a frame that is too large nothing is sent: why. Empty: it is not.
  std::string send(const v1::Frame& frame);
  void flush();  // call when the socket takes more
  bool wants_write() const { return state_ == State::Open && !out_.empty(); }
  std::vector<v1::Frame> receive();  // all complete frames that have arrived

 private:
  int fd_;
  State state_ = State::Open;
  std::string out_;
  base::FrameReader reader_;
};

}  // namespace heddle::daemon
