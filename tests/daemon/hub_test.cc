// The hub under many threads of our own, without gRPC: what the thread sanitizer can see in full.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "server/base/mutex.h"
#include "server/daemon/hub.h"

namespace heddle::daemon {
namespace {

using namespace std::chrono_literals;

// Counts what a stream gets, and that it ends exactly once.
class CountingSink final : public EventSink {
 public:
  void event(const std::shared_ptr<const v1::Event>& event) override {
    const base::MutexLock lock(mutex_);
    EXPECT_FALSE(finished_);
    ++events_;
    if (event->has_verdict() && event->target().empty()) verdict_ = true;
  }
  void finish() override {
    const base::MutexLock lock(mutex_);
    EXPECT_FALSE(finished_);
    finished_ = true;
    changed_.notify_all();
  }
  bool wait() {
    const auto end = std::chrono::steady_clock::now() + 2min;
    const base::MutexLock lock(mutex_);
    while (!finished_ && changed_.wait_until(mutex_, end)) {}
    return finished_;
  }
  bool has_verdict() {
    const base::MutexLock lock(mutex_);
    return verdict_;
  }

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  int events_ HEDDLE_GUARDED_BY(mutex_) = 0;
  bool finished_ HEDDLE_GUARDED_BY(mutex_) = false;
  bool verdict_ HEDDLE_GUARDED_BY(mutex_) = false;
};

TEST(HubTest, ManyClientsAtOnce) {
  char path[] = "/tmp/heddle-hub-XXXXXX";
  const std::string root = mkdtemp(path);
  const std::vector<std::string> texts = {"", "// fake: finding data-race\n", "// fake: sleep 3\n",
                                          "// fake: sleep 30\n", "// fake: crash-once " + root + "/mark\n"};
  std::ofstream(root + "/compile_commands.json") << "[]";
  for (size_t i = 0; i < texts.size(); ++i) std::ofstream(root + "/" + std::to_string(i) + ".c") << texts[i];

  Settings settings;
  settings.engine_binary = FAKE_ENGINE_BINARY;
  settings.idle_exit = 60s;
  base::Loop loop;
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
