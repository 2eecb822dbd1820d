// A project in a temporary folder and an engine process that checks it over a socket pair, as the daemon does.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/v1/engine.pb.h"
#include "server/base/frames.h"

namespace heddle::engine::test {

class ProjectFolder {
 public:
  ProjectFolder();
  ~ProjectFolder();
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const;
  // compile_commands.json for these files.
  void write_database(const std::vector<std::string>& names) const;

 private:
  std::string path_;
};

// What came back for one request.
struct Answer {
  std::vector<v1::Event> events;
  std::optional<v1::ProjectFiles> files;
  std::optional<v1::Done> done;

  const v1::Verdict* final_verdict() const;  // combined; none: a failure of the test, and an empty one
  const v1::Verdict* step1_verdict() const;
  const v1::Diffed* diffed() const;
  std::vector<v1::Finding> findings() const;  // present ones
  std::vector<std::string> rules() const;     // of the present findings, sorted
  std::vector<std::string> fixed() const;     // rules of fixed ones
  std::vector<std::string> compiled() const;  // units that were compiled
  size_t pairs_started() const;
  std::string assumptions() const;  // of the final verdict, a line each
  std::string text() const;         // without times, for comparing runs
};

class EngineProcess {
 public:
  struct Options {
    std::map<std::string, std::string> environment;
    uint64_t file_bytes_max = 0;  // RLIMIT_FSIZE; 0: none
    bool one_command = false;     // it expects no edits
  };
  EngineProcess() : EngineProcess(Options{}) {}
  explicit EngineProcess(const Options& options);
  ~EngineProcess();

  uint64_t send(v1::Frame frame);  // returns the request number
  uint64_t send_check(const v1::CheckRequest& request);
  std::optional<v1::Frame> receive(double seconds);
  Answer collect(uint64_t request, double seconds = 60);  // until Done; seconds without a word
  Answer check(const v1::CheckRequest& request) { return collect(send_check(request)); }
  Answer check(const std::string& file);
  void send_raw(const std::string& bytes);
  std::vector<pid_t> children(const std::string& name = "heddle-explore") const;  // as ps shows it
  int wait();  // for its end; returns the wait status
  void kill(int signal);
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int channel_ = -1;
  std::unique_ptr<base::FrameReader> reader_;
  std::vector<v1::Frame> kept_;  // of other requests
  uint64_t next_request_ = 1;
};

v1::CheckRequest request_for(const std::string& file);

}  // namespace heddle::engine::test
