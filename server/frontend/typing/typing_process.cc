#include "server/frontend/typing/typing_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "server/base/wire.h"
#include "server/frontend/typing/typing_server.h"
#include "server/program/hash.h"

extern char** environ;

namespace heddle::frontend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kProgram = "/proc/self/exe";
constexpr const char* kArgument = "--typing-process";
constexpr double kSecondsMost = 10;
constexpr size_t kTextMost = size_t{8} << 20;    // bytes of the file
constexpr size_t kTextsMost = size_t{64} << 20;  // bytes of all unsaved files
constexpr int kLookMs = 50;                      // how often the limits are looked at

std::string question_of(const std::string& path, const std::vector<Overlay>& overlays) {
  base::WireWriter out;
  out.text(path).number(overlays.size());
  for (const Overlay& overlay : overlays) out.text(overlay.path).text(overlay.text);
  return out.take();
}

bool is_too_large(const std::string& path, const std::vector<Overlay>& overlays) {
  size_t all = 0;
  for (const Overlay& overlay : overlays) {
    if (overlay.path == path && overlay.text.size() > kTextMost) return true;
    all += overlay.text.size();
  }
  return all > kTextsMost;
}

bool wait_readable(int channel, int interrupt_fd, int timeout_ms, bool& interrupted) {
  pollfd entries[2] = {{channel, POLLIN, 0}, {interrupt_fd, POLLIN, 0}};
  ::poll(entries, 2, timeout_ms);
  interrupted = entries[1].revents != 0;
  return entries[0].revents != 0;
}

}  // namespace

base::ReadingLimits TypingProcess::default_limits() {
  base::ReadingLimits limits = base::ReadingLimits::from_environment();
  limits.seconds = std::min(limits.seconds, kSecondsMost);
  return limits;
}

TypingProcess::TypingProcess(std::string database_directory, base::ReadingLimits limits)
    : database_directory_(std::move(database_directory)),
      limits_(limits),
      interrupt_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

TypingProcess::~TypingProcess() {
  end();
  if (interrupt_fd_ >= 0) ::close(interrupt_fd_);
}

void TypingProcess::interrupt() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t wrote = ::write(interrupt_fd_, &one, sizeof one);
}

bool TypingProcess::start() {
  if (pid_ > 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], base::kReadingChannel);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, base::kReadingChannel + 1);
  std::string words[] = {"heddle-lsp", kArgument, std::to_string(limits_.memory_bytes), database_directory_};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  const int error = ::posix_spawn(&pid_, kProgram, &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    pid_ = 0;
    ::close(ends[0]);
    return false;
  }
  channel_ = ends[0];
  reader_ = std::make_unique<base::FrameReader>(channel_);
  return true;
}

void TypingProcess::end() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  ::close(std::exchange(channel_, -1));
  reader_.reset();
}

std::optional<std::string_view> TypingProcess::ask(std::string_view question) {
  if (!start() || !base::write_frame(channel_, question)) return std::nullopt;
  const Clock::time_point begin = Clock::now();
  const double used_before = base::processor_seconds(pid_);
  for (;;) {
    if (const auto answer = reader_->next()) return answer;
    if (interrupted_ || reader_->state() != base::FrameReader::State::Open) return std::nullopt;
    if (wait_readable(channel_, interrupt_fd_, kLookMs, interrupted_)) {
      reader_->fill();
      continue;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
    const double used = base::processor_seconds(pid_) - used_before;
    if (used > limits_.seconds || waited > limits_.seconds * base::kWaitFactor) return std::nullopt;
  }
}

Meaning TypingProcess::meaning(const std::string& path, const std::vector<Overlay>& overlays) {
  if (interrupted_ || is_too_large(path, overlays)) return {};
  const std::string question = question_of(path, overlays);
  const auto ended = ended_by_.find(path);
  if (ended != ended_by_.end() && ended->second == program::hash_bytes(question)) return {};
  Meaning meaning;
  const auto answer = ask(question);
  bool again = false;
  if (!answer || !read_answer(*answer, meaning, again)) {
    if (!interrupted_) ended_by_[path] = program::hash_bytes(question);
    end();
    return {};
  }
  if (!again) end();
  if (ended != ended_by_.end()) ended_by_.erase(ended);
  return meaning;
}

void serve_typing_if_asked(int argc, char** argv) {
  if (argc != 4 || std::strcmp(argv[1], kArgument) != 0) return;
  base::begin_reading_process("heddle-typing", base::kReadingChannel);
  serve_typing(base::kReadingChannel, std::strtoull(argv[2], nullptr, 10), argv[3]);
}

}  // namespace heddle::frontend
