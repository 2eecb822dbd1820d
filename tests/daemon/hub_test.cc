// The hub under many threads of our own, without gRPC: what the thread sanitizer can see in full.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "server/daemon/hub.h"

namespace heddle::daemon {
namespace {

using namespace std::chrono_literals;

// Counts what a stream gets, and that it ends exactly once.
class CountingSink final : public EventSink {
 public:
  void event(const std::shared_ptr<const v1::Event>& event) override {
    std::lock_guard lock(mutex_);
    EXPECT_FALSE(finished_);
    ++events_;
    if (event->has_verdict() && event->target().empty()) verdict_ = true;
  }
  void finish() override {
    std::lock_guard lock(mutex_);
    EXPECT_FALSE(finished_);
    finished_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 2min, [&] { return finished_; });
  }
  bool has_verdict() {
    std::lock_guard lock(mutex_);
    return verdict_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int events_ = 0;         // guarded by mutex_
  bool finished_ = false;  // guarded by mutex_
  bool verdict_ = false;   // guarded by mutex_
};

TEST(HubTest, ManyClientsAtOnce) {
  char path[] = "/tmp/heddle-hub-XXXXXX";
  const std::string root = mkdtemp(path);
  const std::vector<std::string> texts = {"", "// fake: finding data-race\n", "// fake: sleep 3\n", "// fake: sleep 30\n",
                                          "// fake: crash-once " + root + "/mark\n"};
  std::ofstream(root + "/compile_commands.json") << "[]";
  for (size_t i = 0; i < texts.size(); ++i) std::ofstream(root + "/" + std::to_string(i) + ".c") << texts[i];

  Settings settings;
  settings.engine_binary = FAKE_ENGINE_BINARY;
  settings.idle_exit = 60s;
  Loop loop;
  Hub hub(loop, settings, [] {});
  std::atomic<int> ended = 0, verdicts = 0, answers = 0;
  constexpr int kClients = 6, kChecks = 12;
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] {
      std::minstd_rand random(static_cast<unsigned>(client + 1));
      for (int i = 0; i < kChecks; ++i) {
        v1::CheckRequest request;
        request.set_root(root);
        if (random() % 2) request.set_client(std::to_string(client));
        request.set_urgent(random() % 3 == 0);
        request.add_files(root + "/" + std::to_string(random() % texts.size()) + ".c");
        const auto sink = std::make_shared<CountingSink>();
        const bool watches = random() % 4 == 0, leaves = watches || random() % 4 == 0;
        loop.post([&hub, request, sink, watches] { watches ? hub.watch(request, sink) : hub.check(request, sink); });
        loop.post([&] { hub.status({}, [&](v1::StatusResponse) { ++answers; }); });
        if (leaves) {
          std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
          loop.post([&hub, sink] { hub.leave(sink); });
          continue;
        }
        ended += sink->wait();
        verdicts += sink->has_verdict();
        ++answers;
      }
    });
  }
  // The loop runs on the thread that starts engines, as in the daemon.
  std::thread closer([&] {
    for (std::thread& client : clients) client.join();
    loop.post([&] { hub.close("over"); });
    loop.stop();
  });
  loop.run();
  closer.join();
  EXPECT_EQ(ended, verdicts);
  EXPECT_GT(ended, kClients);
  EXPECT_GE(answers, kClients * kChecks);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace heddle::daemon
