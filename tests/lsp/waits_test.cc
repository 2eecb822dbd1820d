// What the language server's threads wait for, and what ends it: a client that does not read, a daemon that does not
// start.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "client/link/daemon_link.h"
#include "client/lsp/connection.h"
#include "client/lsp/project_session.h"

namespace heddle::client::lsp {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kSoon = 5s;  // on a machine that has other work; without an end it would be 15 s, or for ever

// A connection to a client that says nothing.
class ToClient : public ::testing::Test {
 protected:
  ToClient() {
    EXPECT_EQ(pipe(in_), 0);
    EXPECT_EQ(pipe(out_), 0);
    connection_.emplace(in_[0], out_[1]);
    connection_->start({[](const Json&) {}, [](const std::string&) {}, [this] { ended_.set_value(); }});
  }
  ~ToClient() override {
    connection_.reset();
    for (const int fd : {in_[0], in_[1], out_[0], out_[1]}) close(fd);
  }
  bool ends() { return ended_.get_future().wait_for(kSoon) == std::future_status::ready; }
  int in_[2], out_[2];
  std::promise<void> ended_;
  std::optional<Connection> connection_;
};

const std::string kMegabyte(1u << 20, 'x');

TEST_F(ToClient, WhatWasSentIsWrittenFirst) {
  size_t got = 0;
  std::thread reader([&] {
    std::string buffer(1 << 16, 0);
    for (ssize_t size; (size = read(out_[0], buffer.data(), buffer.size())) > 0;) got += static_cast<size_t>(size);
  });
  for (int n = 0; n < 3; ++n) connection_->send(kMegabyte);
  connection_.reset();
  close(out_[1]);
  reader.join();
  EXPECT_GT(got, 3 * kMegabyte.size());
  out_[1] = dup(in_[0]);
}

TEST_F(ToClient, OneThatDoesNotReadHoldsUpNoEnd) {
  connection_->send(kMegabyte);
  const auto begin = Clock::now();
  connection_.reset();
  EXPECT_LT(Clock::now() - begin, kSoon);
}

TEST_F(ToClient, OneThatLeavesTooMuchUnreadIsGone) {
  for (int n = 0; n < 70; ++n) connection_->send(kMegabyte);
  EXPECT_TRUE(ends());
}

TEST_F(ToClient, OneThatClosedItsEndIsGone) {
  close(out_[0]);
  connection_->send(kMegabyte);
  EXPECT_TRUE(ends());
  out_[0] = dup(in_[0]);
}

// A daemon that starts and never says that it answers.
class SilentDaemon : public ::testing::Test {
 protected:
  SilentDaemon() : folder_(std::filesystem::temp_directory_path() / ("heddle-waits-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "run");
    std::filesystem::permissions(folder_ / "run", std::filesystem::perms::owner_all);
    const std::string daemon = (folder_ / "daemon").string();
    std::ofstream(daemon) << "#!/bin/sh\nexec sleep 10\n";
    chmod(daemon.c_str(), 0700);
    setenv("HEDDLE_DAEMON", daemon.c_str(), 1);
    setenv("HEDDLE_RUNTIME_DIR", (folder_ / "run").c_str(), 1);
  }
  ~SilentDaemon() override {
    unsetenv("HEDDLE_DAEMON");
    unsetenv("HEDDLE_RUNTIME_DIR");
    std::filesystem::remove_all(folder_);
  }

  const std::filesystem::path folder_;
};

TEST_F(SilentDaemon, TheWaitForItCanBeCancelled) {
  Cancellation cancellation;
  std::thread other([&] {
    std::this_thread::sleep_for(200ms);
    cancellation.cancel();
  });
  const auto begin = Clock::now();
  const auto connected = connect_daemon(cancellation);
  EXPECT_LT(Clock::now() - begin, kSoon);
  EXPECT_TRUE(std::holds_alternative<Failure>(connected));
  other.join();
  EXPECT_TRUE(std::holds_alternative<Failure>(connect_daemon(cancellation)));
}

TEST_F(SilentDaemon, AProjectThatWaitsForItClosesAtOnce) {
  base::Loop loop;
  Documents documents;
  ProjectSession::Listener listener;
  listener.prepare = [](v1::CheckRequest&) { return Snapshot(); };
  listener.status_changed = listener.results_changed = [] {};
  ProjectSession session(loop, documents, folder_.string(), "", listener);
  session.check({{}, true, false});
  std::this_thread::sleep_for(200ms);
  const auto begin = Clock::now();
  session.close();
  EXPECT_LT(Clock::now() - begin, kSoon);
}

}  // namespace
}  // namespace heddle::client::lsp
