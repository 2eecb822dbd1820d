// The daemon's parts that need no process: frames, percentiles, the loop, where a project lies.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "server/base/loop.h"
#include "server/daemon/engine_process.h"
#include "server/daemon/frame_channel.h"
#include "server/daemon/latency.h"
#include "server/daemon/paths.h"

namespace heddle::daemon {
namespace {

TEST(FrameChannel, CarriesFramesInPieces) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  FrameChannel left(ends[0]), right(ends[1]);
  v1::Frame big;
  big.set_request(7);
  big.mutable_event()->mutable_finding()->set_message(std::string(3'000'000, 'x'));
  left.send(big);
  EXPECT_TRUE(left.wants_write());
  std::vector<v1::Frame> frames;
  while (frames.empty()) {
    frames = right.receive();
    left.flush();
  }
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].request(), 7u);
  EXPECT_EQ(frames[0].event().finding().message().size(), 3'000'000u);
  EXPECT_FALSE(left.wants_write());
}

TEST(FrameChannel, NoticesGarbageAndTheEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  FrameChannel channel(ends[0]);
  ASSERT_EQ(write(ends[1], "\xff\xff\xff\xff", 4), 4);
  EXPECT_TRUE(channel.receive().empty());
  EXPECT_EQ(channel.state(), FrameChannel::State::Garbage);
  close(ends[1]);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  FrameChannel other(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(other.receive().empty());
  EXPECT_EQ(other.state(), FrameChannel::State::Closed);
}

// Nothing of it is sent, and the peer is as good as before.
TEST(FrameChannel, RefusesWhatNoPeerTakes) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  FrameChannel left(ends[0]), right(ends[1]);
  v1::Frame frame;
  frame.set_request(7);
  frame.mutable_event()->mutable_finding()->set_message(std::string(base::kFrameBytesMax, 'x'));
  EXPECT_EQ(left.send(frame), "a message of 512 MB is more than the 512 MB that one may have");
  EXPECT_FALSE(left.wants_write());
  frame.mutable_event()->mutable_finding()->set_message("x");
  EXPECT_EQ(left.send(frame), "");
  EXPECT_EQ(right.receive().size(), 1u);
}

size_t open_descriptors() {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

// Wherever the descriptors run out, those that it has are given back.
TEST(EngineProcess, KeepsNoDescriptorOfAnEngineThatDoesNotStart) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const size_t open = open_descriptors();
  const int next = dup(0);  // the lowest that is free: the others below it are taken
  close(next);
  for (rlim_t more = 0; more < 6; ++more) {
    const rlimit limit{static_cast<rlim_t>(next) + more, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    const auto engine = EngineProcess::spawn("/no/such/engine", EngineProcess::Use::Daemon);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_TRUE(std::holds_alternative<Error>(engine));
    EXPECT_EQ(open_descriptors(), open) << more;
  }
}

TEST(LatencyBook, MedianAnd95thPercentile) {
  LatencyBook book;
  for (int i = 1; i <= 101; ++i) {
    v1::Milliseconds ms;
    ms.set_total(i);
    ms.set_first_finding(i == 1 ? 5 : -1);
    book.add(ms);
  }
  v1::ProjectStatus status;
  book.print_to(status);
  for (const v1::PhaseLatency& phase : status.latency()) {
    if (phase.phase() == "total") {
      EXPECT_EQ(phase.p50_ms(), 51);
      EXPECT_EQ(phase.p95_ms(), 96);
      EXPECT_EQ(phase.count(), 101u);
    }
    if (phase.phase() == "first_finding") {
      EXPECT_EQ(phase.count(), 1u);
    }
  }
}

TEST(Loop, RunsPostedWorkAndTimersInOrder) {
  base::Loop loop;
  std::string order;
  loop.after(std::chrono::milliseconds(20), [&] {
    order += 'c';
    loop.stop();
  });
  loop.after(std::chrono::milliseconds(5), [&] { order += 'b'; });
  loop.cancel(loop.after(std::chrono::milliseconds(1), [&] { order += 'x'; }));
  std::thread poster([&] { loop.post([&] { order += 'a'; }); });
  loop.run();
  poster.join();
  EXPECT_EQ(order, "abc");
}

}  // namespace
}  // namespace heddle::daemon
