// Sessions: handshake, streams, who takes over from whom, watches, coming and going.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/daemon/daemon_fixture.h"

namespace heddle::daemon {
namespace {

using namespace std::chrono_literals;

TEST_F(DaemonTest, ShakesHandsOnASocketThatOnlyItsOwnerCanOpen) {
  ASSERT_TRUE(start()) << ready_line_;
  grpc::ClientContext context;
  v1::HandshakeRequest request;
  v1::HandshakeResponse response;
  ASSERT_TRUE(stub_->Handshake(&context, request, &response).ok());
  EXPECT_EQ(response.pid(), pid_);
  EXPECT_EQ(response.protocol(), 1u);
  EXPECT_FALSE(response.build().empty());
  struct stat info;
  ASSERT_EQ(stat((directory_ + "/run").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_EQ(stat((directory_ + "/run/heddled.sock").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0077, 0u);
}

TEST_F(DaemonTest, StreamsACheckToItsVerdict) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("a.c", "// fake: finding data-race\n"));
  const v1::Verdict* verdict = stream->wait_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_FINDINGS);
  EXPECT_TRUE(stream->wait_end());
  const auto events = stream->events();
  ASSERT_GE(events.size(), 5u);
  EXPECT_TRUE(events.front().has_started());
  EXPECT_TRUE(events.back().has_verdict());
  for (const v1::Event& event : events) {
    EXPECT_EQ(event.project(), project_);
    EXPECT_EQ(event.generation(), events.front().generation());
  }
}

TEST_F(DaemonTest, ANewerCheckTakesOver) {
  ASSERT_TRUE(start());
  make_database();
  const auto older = check(write_file("slow.c", "// fake: finding data-race\n" + until_go()));
  ASSERT_TRUE(older->wait([](const v1::Event& event) { return event.has_finding(); }));
  const auto newer = check(write_file("b.c", ""));
  const v1::Verdict* cancelled = older->wait_verdict();
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->error(), v1::ERROR_CANCELLED);
  ASSERT_TRUE(older->wait_end());
  const v1::Verdict* verdict = newer->wait_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_CLEAR);
  EXPECT_GT(newer->events().front().generation(), older->events().front().generation());
}

bool is_queued(const v1::Event& event) { return event.has_progress() && event.progress().phase() == "queued"; }
bool is_answered(const v1::Event& event) { return event.has_verdict() && event.verdict().step() == "step1"; }

TEST_F(DaemonTest, AClientsCheckLeavesThoseOfOthersAlone) {
  ASSERT_TRUE(start());
  make_database();
  v1::CheckRequest slow = request(write_file("slow.c", until_go()));
  slow.set_client("one");
  v1::CheckRequest quick = request(write_file("b.c", "// fake: finding data-race\n"));
  quick.set_client("two");
  const auto first = check(slow);
  ASSERT_TRUE(first->wait([](const v1::Event& event) { return event.has_started(); }));
  const auto second = check(quick);
  ASSERT_TRUE(second->wait(is_queued));
  for (const v1::Event& event : second->events()) EXPECT_FALSE(event.has_started()) << "while the first one runs";
  go();
  ASSERT_TRUE(first->wait_verdict());
  ASSERT_TRUE(second->wait_verdict());
  EXPECT_EQ(first->wait_verdict()->kind(), v1::VERDICT_CLEAR);
  EXPECT_EQ(second->wait_verdict()->kind(), v1::VERDICT_FINDINGS);
}

TEST_F(DaemonTest, WhoTypesGoesFirstAndTheOthersCheckIsBegunAgain) {
  ASSERT_TRUE(start());
  make_database();
  v1::CheckRequest hook = of_hook(write_file("slow.c", "// fake: finding data-race\n" + until_go()));
  v1::CheckRequest save = of_editor(write_file("b.c", "// fake: sleep 50\n"));
  const auto waiting = check(hook);
  ASSERT_TRUE(waiting->wait([](const v1::Event& event) { return event.has_finding(); }));
  const auto first = check(save);
  ASSERT_TRUE(first->wait_verdict());
  go();
  ASSERT_TRUE(waiting->wait_verdict());
  EXPECT_EQ(waiting->wait_verdict()->kind(), v1::VERDICT_FINDINGS);
  ASSERT_TRUE(first->wait_end() && waiting->wait_end());
  size_t begun = 0, findings = 0, queued = 0;
  for (const v1::Event& event : waiting->events()) {
    begun += event.has_started();
    findings += event.has_finding();
    queued += is_queued(event);
    EXPECT_EQ(event.generation(), waiting->events().front().generation());
  }
  EXPECT_EQ(begun, 2u);
  EXPECT_EQ(queued, 1u);
  EXPECT_EQ(findings, 1u);  // told once
}

TEST_F(DaemonTest, WhoWasAnsweredWaitsForWhoWasNot) {
  ASSERT_TRUE(start());
  make_database();
  v1::CheckRequest save = of_editor(write_file("a.c", "// fake: sleep 30\n// fake: answered\n" + until_go()));
  v1::CheckRequest hook = of_hook(write_file("b.c", "// fake: sleep 100\n"));
  const auto editor = check(save);
  ASSERT_TRUE(editor->wait([](const v1::Event& event) { return event.has_started(); }));
  const auto commit = check(hook);
  ASSERT_TRUE(commit->wait_verdict());
  EXPECT_EQ(commit->wait_verdict()->kind(), v1::VERDICT_CLEAR);
  go();
  ASSERT_TRUE(editor->wait(is_answered));
  ASSERT_TRUE(editor->wait_verdict());
  EXPECT_EQ(editor->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, WhoGaveWayCanStillBeCancelledAndReplaced) {
  ASSERT_TRUE(start());
  make_database();
  v1::CheckRequest hook = of_hook(write_file("slow.c", "// fake: sleep 60000\n"));
  v1::CheckRequest save = of_editor(write_file("b.c", until_go()));
  const auto older = check(hook);
  ASSERT_TRUE(older->wait([](const v1::Event& event) { return event.has_started(); }));
  const auto editor = check(save);
  ASSERT_TRUE(older->wait(is_queued));
  *hook.mutable_files(0) = write_file("c.c", "");
  const auto newer = check(hook);
  ASSERT_TRUE(older->wait_verdict());
  EXPECT_EQ(older->wait_verdict()->error(), v1::ERROR_CANCELLED);
  go();
  ASSERT_TRUE(editor->wait_verdict());
  EXPECT_EQ(editor->wait_verdict()->kind(), v1::VERDICT_CLEAR);
  ASSERT_TRUE(newer->wait_verdict());
  EXPECT_EQ(newer->wait_verdict()->kind(), v1::VERDICT_CLEAR);
  EXPECT_TRUE(eventually([&] { return status().phase() == "idle"; }));
}

TEST_F(DaemonTest, FilesWithoutADatabaseDoNotCancelEachOther) {
  ASSERT_TRUE(start());
  const auto slow = check(write_file("slow.c", until_go()));
  ASSERT_TRUE(slow->wait([](const v1::Event& event) { return event.has_started(); }));
  const auto other = check(write_file("b.c", ""));
  ASSERT_TRUE(other->wait_verdict());
  go();
  ASSERT_TRUE(slow->wait_verdict());
  EXPECT_EQ(slow->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, TheSameQuestionAboutUnchangedFilesIsAnsweredOnce) {
  ASSERT_TRUE(start());
  make_database();
  const std::string file = write_file("slow.c", "// fake: finding data-race\n" + until_go());
  std::this_thread::sleep_for(20ms);  // the file has to be older than the check
  const auto first = check(file);
  ASSERT_TRUE(first->wait([](const v1::Event& event) { return event.has_finding(); }));
  const auto second = check(file);
  ASSERT_TRUE(second->wait([](const v1::Event& event) { return event.has_finding(); }));
  go();
  ASSERT_TRUE(first->wait_verdict());
  ASSERT_TRUE(second->wait_verdict());
  EXPECT_EQ(second->wait_verdict()->kind(), v1::VERDICT_FINDINGS);
  EXPECT_EQ(first->events().size(), second->events().size());
  EXPECT_EQ(first->events().front().generation(), second->events().front().generation());
}

TEST_F(DaemonTest, TheSameQuestionAfterASaveStartsOver) {
  ASSERT_TRUE(start());
  make_database();
  const std::string file = write_file("slow.c", "// fake: finding data-race\n" + until_go());
  const auto first = check(file);
  ASSERT_TRUE(first->wait([](const v1::Event& event) { return event.has_finding(); }));
  std::this_thread::sleep_for(10ms);
  write_file("slow.c", "// repaired\n");
  const auto second = check(file);
  ASSERT_TRUE(first->wait_verdict());
  EXPECT_EQ(first->wait_verdict()->error(), v1::ERROR_CANCELLED);
  ASSERT_TRUE(second->wait_verdict());
  EXPECT_EQ(second->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, AClientThatLeavesCancelsItsCheck) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("slow.c", "// fake: sleep 60000\n"));
  ASSERT_TRUE(stream->wait([](const v1::Event& event) { return event.has_started(); }));
  EXPECT_NE(status().phase(), "idle");
  stream->cancel();
  EXPECT_TRUE(eventually([&] { return status().phase() == "idle"; }));
}

TEST_F(DaemonTest, ADeadlineEndsACheck) {
  ASSERT_TRUE(start());
  const std::string file = write_file("slow.c", "// fake: sleep 60000\n");
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + 100ms);
  const auto reader = stub_->Check(&context, request(file));
  v1::Event event;
  while (reader->Read(&event)) {}
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(eventually([&] { return status().phase() == "idle"; }));
}

TEST_F(DaemonTest, CancelsOnRequest) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("slow.c", "// fake: sleep 60000\n"));
  ASSERT_TRUE(stream->wait([](const v1::Event& event) { return event.has_started(); }));
  grpc::ClientContext context;
  v1::CancelRequest cancel;
  v1::CancelResponse response;
  ASSERT_TRUE(stub_->Cancel(&context, cancel, &response).ok());
  EXPECT_TRUE(response.cancelled());
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->error(), v1::ERROR_CANCELLED);
}

void expect_checked_on_save(DaemonTest&, StreamReader& stream, const std::function<void()>& save) {
  ASSERT_TRUE(stream.wait_verdict());
  EXPECT_EQ(stream.wait_verdict()->kind(), v1::VERDICT_CLEAR);
  std::this_thread::sleep_for(20ms);
  save();
  EXPECT_TRUE(stream.wait([](const v1::Event& event) {
    return event.has_verdict() && event.target().empty() && event.verdict().kind() == v1::VERDICT_FINDINGS;
  }));
}

TEST_F(DaemonTest, AWatchChecksOnEverySave) {
  ASSERT_TRUE(start());
  make_database();
  const auto stream = watch(write_file("a.c", ""));
  expect_checked_on_save(*this, *stream, [&] { write_file("a.c", "// fake: finding data-race\n"); });
  EXPECT_TRUE(status().watched());
  // Editors that replace the file.
  const size_t before = stream->events().size();
  write_file("a.c.new", "// fake: finding data-race\n\n");
  std::filesystem::rename(project_ + "/a.c.new", project_ + "/a.c");
  EXPECT_TRUE(eventually([&] { return stream->events().size() > before; }));
}

TEST_F(DaemonTest, AWatchWorksByPollingToo) {
  setenv("HEDDLE_WATCH", "poll", 1);
  ASSERT_TRUE(start());
  unsetenv("HEDDLE_WATCH");
  make_database();
  const auto stream = watch(write_file("a.c", ""));
  expect_checked_on_save(*this, *stream, [&] { write_file("a.c", "// fake: finding data-race\n"); });
}

TEST_F(DaemonTest, AWatchSeesTheChecksOfOthersAndStartsAgainAfterThem) {
  ASSERT_TRUE(start());
  make_database();
  const std::string file = write_file("a.c", until_go());
  const auto watching = watch(file);
  ASSERT_TRUE(watching->wait([](const v1::Event& event) { return event.has_started(); }));
  const auto other = check(write_file("b.c", "// fake: finding data-race\n"));
  ASSERT_TRUE(other->wait_verdict());
  EXPECT_TRUE(watching->wait([](const v1::Event& event) { return event.has_finding(); }));
  EXPECT_TRUE(watching->wait(
      [](const v1::Event& event) { return event.has_verdict() && event.verdict().error() == v1::ERROR_CANCELLED; }));
  go();
  EXPECT_TRUE(watching->wait([](const v1::Event& event) {
    return event.has_verdict() && event.target().empty() && event.verdict().kind() == v1::VERDICT_CLEAR;
  }));
}

TEST_F(DaemonTest, ShowsPairsAndMeasures) {
  ASSERT_TRUE(start());
  ASSERT_TRUE(check(write_file("a.c", "// fake: finding data-race\n"))->wait_verdict());
  {
    grpc::ClientContext context;
    v1::ShowRequest show;
    v1::ShowResponse response;
    show.set_root(project_);
    ASSERT_TRUE(stub_->Show(&context, show, &response).ok());
    EXPECT_EQ(response.findings_size(), 1);
  }
  {
    grpc::ClientContext context;
    v1::PairsRequest pairs;
    v1::PairsResponse response;
    pairs.set_root(project_);
    ASSERT_TRUE(stub_->Pairs(&context, pairs, &response).ok());
    ASSERT_EQ(response.targets_size(), 1);
    EXPECT_EQ(response.targets(0).diffed().pairs_size(), 2);
  }
  grpc::ClientContext context;
  v1::StatusRequest request;
  v1::StatusResponse response;
  ASSERT_TRUE(stub_->Status(&context, request, &response).ok());
  bool measured = false;
  for (const v1::ProjectStatus& project : response.projects()) {
    EXPECT_TRUE(project.responsive());
    for (const v1::PhaseLatency& phase : project.latency()) {
      if (phase.phase() == "total") measured = phase.count() == 1 && phase.p50_ms() == 4 && phase.p95_ms() == 4;
    }
    if (project.last_verdict() == "findings") {
      EXPECT_GT(project.engine_memory_bytes(), 0u);
    }
  }
  EXPECT_TRUE(measured);
}

TEST_F(DaemonTest, EnginesBeyondTheLimitAreStopped) {
  ASSERT_TRUE(start({"--engines-max", "2"}));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(check(write_file("f" + std::to_string(i) + ".c", ""))->wait_verdict());
  }
  std::string log;
  EXPECT_TRUE(eventually([&] {
    log = read_log();
    return log.find("the engine is not needed") != std::string::npos;
  })) << log;
  const auto again = check(project_ + "/f0.c");
  ASSERT_TRUE(again->wait_verdict());
  EXPECT_EQ(again->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, ShutdownEndsStreamsAndEngines) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("slow.c", "// fake: sleep 60000\n"));
  ASSERT_TRUE(stream->wait([](const v1::Event& event) { return event.has_started(); }));
  const pid_t engine = static_cast<pid_t>(status().engine_pid());
  ASSERT_GT(engine, 0);
  grpc::ClientContext context;
  v1::ShutdownRequest request;
  v1::ShutdownResponse response;
  ASSERT_TRUE(stub_->Shutdown(&context, request, &response).ok());
  EXPECT_EQ(response.pid(), pid_);
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->error(), v1::ERROR_CANCELLED);
  EXPECT_EQ(wait_exit(), 0);
  EXPECT_NE(kill(engine, 0), 0);
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/run/heddled.sock"));
}

TEST_F(DaemonTest, LeavesWhenIdleButNotWhileSomebodyWatches) {
  ASSERT_TRUE(start({"--idle-exit", "3"}));
  auto stream = watch(write_file("a.c", ""));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(wait_exit(4000ms), -1);
  stream.reset();
  EXPECT_EQ(wait_exit(), 0);
}

TEST_F(DaemonTest, ALockThatCannotBeOpenedIsNamed) {
  const std::string lock = directory_ + "/run/heddled.lock";
  std::filesystem::create_directories(lock);
  std::filesystem::permissions(directory_ + "/run", std::filesystem::perms::owner_all);
  EXPECT_FALSE(start());
  EXPECT_EQ(ready_line_, "cannot lock " + lock + ": Is a directory\n");
  EXPECT_EQ(wait_exit(), 5);
}

TEST_F(DaemonTest, OnlyOneRunsAndAKilledOneIsReplaced) {
  ASSERT_TRUE(start());
  const pid_t first = pid_;
  EXPECT_FALSE(start());
  EXPECT_EQ(ready_line_, "busy\n");
  EXPECT_EQ(wait_exit(), 3);
  pid_ = first;
  kill(pid_, SIGKILL);
  EXPECT_EQ(wait_exit(), 128 + SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/run/heddled.sock"));
  ASSERT_TRUE(start()) << ready_line_;
  EXPECT_TRUE(check(write_file("a.c", ""))->wait_verdict());
}

TEST_F(DaemonTest, AFullDiskForTheLogDoesNotMatter) {
  std::filesystem::create_directory(directory_ + "/state");
  std::filesystem::create_symlink("/dev/full", directory_ + "/state/heddled.log");
  setenv("HEDDLE_STATE_DIR", (directory_ + "/state").c_str(), 1);
  const bool started = start();
  unsetenv("HEDDLE_STATE_DIR");
  ASSERT_TRUE(started) << ready_line_;
  EXPECT_TRUE(check(write_file("a.c", ""))->wait_verdict());
}

}  // namespace
}  // namespace heddle::daemon
