#include "log.h"

#include <utility>

namespace quotes {

const char* name_of(Level level) {
  switch (level) {
    case Level::Info: return "info";
    case Level::Warning: return "warning";
    case Level::Error: return "error";
  }
  return "?";
}

void Log::write(Level level, std::string text) {
  if (level < least_) return;
  std::string line = std::string(name_of(level)) + ": " + std::move(text);
  std::lock_guard<std::mutex> guard(mutex_);
  ring_[written_ % kLines] = std::move(line);
  ++written_;
}

std::vector<std::string> Log::lines() const {
  std::lock_guard<std::mutex> guard(mutex_);
  std::vector<std::string> result;
  const unsigned long first = written_ > kLines ? written_ - kLines : 0;
  for (unsigned long number = first; number < written_; ++number) result.push_back(ring_[number % kLines]);
  return result;
}

unsigned long Log::dropped() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return written_ > kLines ? written_ - kLines : 0;
}

}  // namespace quotes
