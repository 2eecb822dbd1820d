// JSON-RPC 2.0 over two file descriptors, framed as the Language Server Protocol does it (base protocol).
//
// In:      bytes; messages to send.
// Out:     one call of Listener::message per message; frames to the client, in the order of send().
// Owns:    two threads: one reads, one writes, so that neither a slow client nor a long answer stops the reading. The
//          descriptors stay the caller's.
// Threads: send() from any; the listener is called on the reading thread. The destructor joins both threads, after what
//          was sent is written, for which a client has a second.
// Fails:   never. A frame without a usable length is skipped up to the next "Content-Length:", and text that is no JSON
//          is dropped; Listener::problem says so. A client that cannot be written to, or leaves more than 64 MB
//          unread, counts as gone: what waits is dropped, nothing more is sent or read, and `ended` is called.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "server/base/mutex.h"

namespace heddle::client::lsp {

using Json = nlohmann::json;

enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kServerNotInitialized = -32002,
  kRequestFailed = -32803,
  kRequestCancelled = -32800,
  kContentModified = -32801,
};

class Connection {
 public:
  struct Listener {
    std::function<void(Json)> message;
    std::function<void(const std::string&)> problem;  // what came was no message
    std::function<void()> ended;                      // the client closed its end, or counts as gone; at most once
  };
  Connection(int in, int out) : in_(in), out_(out) {}
  ~Connection();
  void start(Listener listener);
  void send(const Json& message);

 private:
  void read();
  void write();
  bool write_whole(const std::string& frame);
  bool wait_writable();
  void give_up() HEDDLE_REQUIRES(mutex_);
  void wake_both();

  const int in_, out_;
  Listener listener_;
  base::Mutex mutex_;
  base::Condition wake_;
  std::deque<std::string> outgoing_ HEDDLE_GUARDED_BY(mutex_);
  size_t outgoing_bytes_ HEDDLE_GUARDED_BY(mutex_) = 0;
  bool closing_ HEDDLE_GUARDED_BY(mutex_) = false;
  bool gone_ HEDDLE_GUARDED_BY(mutex_) = false;
  int stop_fd_ = -1;                                                 // readable: closing, or gone
  std::optional<std::chrono::steady_clock::time_point> last_words_;  // until then; of the writer
  std::thread reader_, writer_;
};

// Splits a stream of bytes into the bodies of frames.
class FrameSplitter {
 public:
  void add(const char* data, size_t size) { buffer_.append(data, size); }
  enum class Outcome : uint8_t { More, Body, Garbage };
  // More: nothing whole is there. Garbage: something was skipped; `body` says what in short.
  Outcome next(std::string& body);

 private:
  std::string buffer_;
};

}  // namespace heddle::client::lsp
