// A copy of the example in a folder of its own, with a daemon of its own, that can be edited and checked.
//
// In:      the path of the heddle binary and of the example's folder.
// Out:     answers to checks: the events as JSON with the time of their arrival.
// Cost:    the constructor copies the example and runs CMake on it; the destructor stops the daemon and deletes the
// copy. Fails:   std::runtime_error if the copy or CMake fails. What heddle says is data. Threads: one.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle::tour {

struct Event {
  double ms = 0;  // after the process was started
  nlohmann::json data;
};

struct Answer {
  std::vector<Event> events;
  std::string errors;  // what heddle wrote to stderr
  int exit_code = 0;
  double wall_ms = 0;  // until the process had ended

  std::vector<const Event*> of_type(const std::string& type) const;
  const nlohmann::json& verdict() const;  // the last one; an empty object if there is none
  double arrival(const std::string& type, const std::string& step = "") const;  // first such event; -1 if none
};

class Session {
 public:
  Session(const std::filesystem::path& heddle, const std::filesystem::path& example);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::filesystem::path& root() const { return root_; }
  std::string read(const std::string& file) const;
  void save(const std::string& file, const std::string& text) const;

  Answer check(const std::vector<std::string>& files) const;  // none: the whole project
  Answer run(const std::vector<std::string>& arguments) const;
  // Runs another program in the copy; wall milliseconds, or -1 if it failed.
  double time_of(const std::vector<std::string>& command) const;

 private:
  std::filesystem::path heddle_, scratch_, root_;
};

}  // namespace heddle::tour
