// A heddled of its own per test: private runtime folder, scripted engine, a gRPC stub.
#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "heddle/v1/heddle.grpc.pb.h"

#include "server/base/mutex.h"

namespace heddle::daemon {

using Clock = std::chrono::steady_clock;

// Events of one stream, read by a thread of its own.
class StreamReader {
 public:
  using Open = std::function<std::unique_ptr<grpc::ClientReader<v1::Event>>(grpc::ClientContext*)>;
  explicit StreamReader(const Open& open);
  ~StreamReader();
  void cancel() { context_.TryCancel(); }
  // Waits until an event satisfies the condition; null after two minutes: only a test that fails waits so long.
  const v1::Event* wait(const std::function<bool(const v1::Event&)>& condition);
  const v1::Verdict* wait_verdict();  // the combined one
  bool wait_end(std::chrono::milliseconds limit = std::chrono::minutes(2));
  std::vector<v1::Event> events();

 private:
  grpc::ClientContext context_;
  base::Mutex mutex_;
  base::Condition changed_;
  std::vector<std::unique_ptr<v1::Event>> events_ HEDDLE_GUARDED_BY(mutex_);
  bool ended_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

class DaemonTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Starts heddled; false: it said something other than "ready" (then in ready_line).
  bool start(std::vector<std::string> arguments = {});
  int wait_exit(std::chrono::milliseconds limit = std::chrono::minutes(2));  // exit code, 128 + signal, -1: still there
  std::string write_file(const std::string& name, const std::string& text);  // absolute path
  std::string until_go() const { return "// fake: until " + directory_ + "/go\n"; }  // an act of the fake engine
  void go() const;                                                                   // ends it
  void make_database();                                                              // the folder becomes one project
  v1::CheckRequest request(const std::string& file) const;
  v1::CheckRequest of_hook(const std::string& file) const;    // can wait
  v1::CheckRequest of_editor(const std::string& file) const;  // somebody types
  std::unique_ptr<StreamReader> check(const v1::CheckRequest& request);
  std::unique_ptr<StreamReader> check(const std::string& file) { return check(request(file)); }
  std::unique_ptr<StreamReader> watch(const std::string& file);
  std::string read_log() const;
  v1::ProjectStatus status();  // of the first project
  bool eventually(const std::function<bool()>& condition);

  std::string directory_, project_, ready_line_;
  pid_t pid_ = -1;
  std::unique_ptr<v1::Heddle::Stub> stub_;
};

}  // namespace heddle::daemon
