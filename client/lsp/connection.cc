#include "client/lsp/connection.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace heddle::client::lsp {
namespace {

constexpr size_t kBodyMax = size_t{256} << 20, kHeaderMax = 8192;
constexpr size_t kNestedMost = 500;
constexpr size_t kOutgoingMost = size_t{64} << 20;
constexpr auto kLastWords = std::chrono::seconds(1);
constexpr std::string_view kLength = "content-length:";

bool same_letters(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
           return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
         });
}

// The length in a header block; npos: none that can be used.
size_t length_in(std::string_view header) {
  while (!header.empty()) {
    const size_t end = std::min(header.find('\n'), header.size());
    std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    if (!same_letters(line, kLength)) continue;
    line.remove_prefix(kLength.size());
    size_t length = 0, digits = 0;
    for (const char c : line) {
      if (c == ' ' || c == '\r' || c == '\t') continue;
      if (c < '0' || c > '9' || ++digits > 10) return std::string::npos;
      length = length * 10 + static_cast<size_t>(c - '0');
    }
    return digits == 0 || length > kBodyMax ? std::string::npos : length;
  }
  return std::string::npos;
}

size_t find_length_header(const std::string& buffer, size_t from) {
  for (size_t at = from; at + kLength.size() <= buffer.size(); ++at) {
    if (same_letters(std::string_view(buffer).substr(at), kLength)) return at;
  }
  return std::string::npos;
}

// Values in each other are copied and freed by functions that call themselves.
bool is_nested_too_deeply(std::string_view json) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted && c == '\\')
      ++at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > kNestedMost)
      return true;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

}  // namespace

FrameSplitter::Outcome FrameSplitter::next(std::string& body) {
  size_t end = buffer_.find("\r\n\r\n"), skip = 4;
  if (const size_t plain = std::string_view(buffer_).substr(0, end).find("\n\n"); plain < end) end = plain, skip = 2;
  if (end == std::string::npos) {
    if (buffer_.size() <= kHeaderMax) return Outcome::More;
    buffer_.erase(0, buffer_.size() - kLength.size());
    body = "no header within " + std::to_string(kHeaderMax) + " bytes";
    return Outcome::Garbage;
  }
  const size_t length = length_in(std::string_view(buffer_).substr(0, end));
  if (length == std::string::npos) {
    // What belongs to no message may stand right before the next header, which may not be there as a whole.
    const size_t after = std::min(end + skip, buffer_.size());
    size_t next = find_length_header(buffer_, 0);
    if (next == 0) next = find_length_header(buffer_, after);
    if (next == std::string::npos) next = std::max(after, buffer_.size() - std::min(buffer_.size(), kLength.size()));
    buffer_.erase(0, next);
    body = "a header without a usable Content-Length";
    return Outcome::Garbage;
  }
  if (buffer_.size() < end + skip + length) return Outcome::More;
  body = buffer_.substr(end + skip, length);
  buffer_.erase(0, end + skip + length);
  return Outcome::Body;
}

Connection::~Connection() {
  {
    const base::MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_both();
  if (writer_.joinable()) writer_.join();
  if (reader_.joinable()) reader_.join();
  if (stop_fd_ >= 0) close(stop_fd_);
}

void Connection::start(Listener listener) {
  listener_ = std::move(listener);
  stop_fd_ = eventfd(0, EFD_CLOEXEC);
  reader_ = std::thread([this] { read(); });
  writer_ = std::thread([this] { write(); });
}

void Connection::send(const Json& message) {
  // Text of the user's program may be in any encoding.
  std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string frame = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  {
    const base::MutexLock lock(mutex_);
    if (gone_) return;
    outgoing_bytes_ += frame.size();
    outgoing_.push_back(std::move(frame));
    // Nothing can be left out: an answer that is missing keeps a client waiting for good.
    if (outgoing_bytes_ > kOutgoingMost) give_up();
  }
  wake_.notify_one();
}

void Connection::give_up() {
  gone_ = true;
  outgoing_.clear();
  outgoing_bytes_ = 0;
  wake_both();
}

void Connection::wake_both() {
  wake_.notify_one();
  const uint64_t one = 1;
  if (stop_fd_ >= 0) [[maybe_unused]]
    const ssize_t n = ::write(stop_fd_, &one, sizeof one);
}

void Connection::read() {
  FrameSplitter splitter;
  std::string buffer(size_t{1} << 16, '\0');
  for (;;) {
    pollfd entries[2] = {{in_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    if (poll(entries, 2, -1) < 0) continue;
    if (entries[1].revents) {
      {
        const base::MutexLock lock(mutex_);
        if (closing_) return;
      }
      return listener_.ended();
    }
    const ssize_t size = ::read(in_, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return listener_.ended();
    splitter.add(buffer.data(), static_cast<size_t>(size));
    std::string body;
    for (FrameSplitter::Outcome outcome; (outcome = splitter.next(body)) != FrameSplitter::Outcome::More;) {
      if (outcome == FrameSplitter::Outcome::Garbage) {
        listener_.problem(body);
        continue;
      }
      if (is_nested_too_deeply(body)) {
        listener_.problem("a message is nested more than " + std::to_string(kNestedMost) + " deep");
        continue;
      }
      Json message = Json::parse(body, nullptr, false);
      if (message.is_discarded())
        listener_.problem("the body of a message is no JSON");
      else
        listener_.message(std::move(message));
    }
  }
}

void Connection::write() {
  for (;;) {
    std::string frame;
    {
      const base::MutexLock lock(mutex_);
      while (!closing_ && !gone_ && outgoing_.empty()) wake_.wait(mutex_);
      if (outgoing_.empty()) return;
      frame = std::move(outgoing_.front());
      outgoing_.pop_front();
    }
    const bool whole = write_whole(frame);
    const base::MutexLock lock(mutex_);
    if (!whole) return give_up();
    if (!gone_) outgoing_bytes_ -= frame.size();
  }
}

bool Connection::write_whole(const std::string& frame) {
  for (size_t done = 0; done < frame.size();) {
    if (!wait_writable()) return false;
    // The number of bytes that a pipe or socket that is writable takes without blocking.
    const ssize_t size = ::write(out_, frame.data() + done, std::min<size_t>(frame.size() - done, PIPE_BUF));
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size <= 0) return false;
    done += static_cast<size_t>(size);
  }
  return true;
}

// False: the connection closes, and the client does not read.
bool Connection::wait_writable() {
  using std::chrono::steady_clock;
  for (;;) {
    int limit_ms = -1;
    if (last_words_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*last_words_ - steady_clock::now());
      if (left.count() <= 0) return false;
      limit_ms = static_cast<int>(left.count());
    }
    pollfd entries[2] = {{out_, POLLOUT, 0}, {last_words_ ? -1 : stop_fd_, POLLIN, 0}};
    if (poll(entries, 2, limit_ms) < 0) continue;
    if (entries[1].revents) last_words_ = steady_clock::now() + kLastWords;
    if (entries[0].revents) return true;
  }
}

}  // namespace heddle::client::lsp
