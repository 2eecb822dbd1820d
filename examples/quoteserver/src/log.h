// The last lines that the program said, kept in a ring. Any thread may write.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <vector>

namespace quotes {

enum class Level { Info, Warning, Error };

class Log {
 public:
  explicit Log(Level least) : least_(least) {}

  void write(Level level, std::string text);
  std::vector<std::string> lines() const;  // oldest first
  unsigned long dropped() const;           // lines that newer ones have replaced

 private:
  static constexpr std::size_t kLines = 4;

  const Level least_;
  mutable std::mutex mutex_;
  std::array<std::string, kLines> ring_;
  unsigned long written_ = 0;
};

const char* name_of(Level level);

}  // namespace quotes
