#include "server/base/reading_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle::base {
namespace {

double number_in_environment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  char* end = nullptr;
  const double value = text ? std::strtod(text, &end) : 0;
  return text && end != text && *end == '\0' && value > 0 ? value : otherwise;
}

}  // namespace

ReadingLimits ReadingLimits::from_environment() {
  ReadingLimits limits;
  limits.seconds = number_in_environment("HEDDLE_COMPILE_SECONDS", limits.seconds);
  limits.memory_bytes = static_cast<uint64_t>(number_in_environment("HEDDLE_COMPILE_MEMORY_MB",
                                                                    static_cast<double>(limits.memory_bytes >> 20)))
                        << 20;
  return limits;
}

void die_first_when_memory_is_short() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t wrote = ::write(fd, "1000", 4);
  ::close(fd);
}

void begin_reading_process(const char* name, int channel) {
  ::prctl(PR_SET_NAME, name, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  die_first_when_memory_is_short();
  if (channel != kReadingChannel) ::dup2(channel, kReadingChannel);
  ::fcntl(kReadingChannel, F_SETFD, 0);
  ::close_range(kReadingChannel + 1, ~0u, 0);
  const int null = ::open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard) ::dup2(null, standard);
  if (null > kReadingChannel) ::close(null);
}

double processor_seconds(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace heddle::base
