#include "tests/daemon/daemon_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::daemon {
namespace {

using namespace std::chrono_literals;

bool is_combined(const v1::Event& event) {
  return event.has_verdict() && event.target().empty() && event.verdict().step() != "step1";
}

}  // namespace

StreamReader::StreamReader(const Open& open) {
  std::shared_ptr<grpc::ClientReader<v1::Event>> reader = open(&context_);
  thread_ = std::thread([this, reader] {
    v1::Event event;
    while (reader->Read(&event)) {
      const base::MutexLock lock(mutex_);
      events_.push_back(std::make_unique<v1::Event>(event));
      changed_.notify_all();
    }
    reader->Finish();
    const base::MutexLock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  });
}

StreamReader::~StreamReader() {
  cancel();
  thread_.join();
}

const v1::Event* StreamReader::wait(const std::function<bool(const v1::Event&)>& condition) {
  const auto end = Clock::now() + std::chrono::minutes(2);
  const base::MutexLock lock(mutex_);
  for (bool time_left = true;;) {
    for (const auto& event : events_)
      if (condition(*event)) return event.get();
    if (ended_ || !time_left) return nullptr;
    time_left = changed_.wait_until(mutex_, end);
  }
}

const v1::Verdict* StreamReader::wait_verdict() {
  const v1::Event* event = wait(is_combined);
  return event ? &event->verdict() : nullptr;
}

bool StreamReader::wait_end(std::chrono::milliseconds limit) {
  const auto end = Clock::now() + limit;
  const base::MutexLock lock(mutex_);
  while (!ended_ && changed_.wait_until(mutex_, end)) {}
  return ended_;
}

std::vector<v1::Event> StreamReader::events() {
  const base::MutexLock lock(mutex_);
  std::vector<v1::Event> result;
  for (const auto& event : events_) result.push_back(*event);
  return result;
}

void DaemonTest::SetUp() {
  char path[] = "/tmp/heddle-test-XXXXXX";
  directory_ = mkdtemp(path);
  project_ = directory_ + "/p";
  std::filesystem::create_directory(project_);
  setenv("HEDDLE_RUNTIME_DIR", (directory_ + "/run").c_str(), 1);
}

void DaemonTest::TearDown() {
  stub_.reset();
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    EXPECT_EQ(wait_exit(), 0) << "the daemon did not leave in good order";
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  std::filesystem::remove_all(directory_);
}

bool DaemonTest::start(std::vector<std::string> arguments) {
  int ready[2];
  EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
  arguments.insert(arguments.begin(),
                   {HEDDLED_BINARY, "--engine", FAKE_ENGINE_BINARY, "--ready-fd", std::to_string(ready[1])});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    fcntl(ready[1], F_SETFD, 0);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  close(ready[1]);
  char buffer[512];
  ready_line_.clear();
  for (ssize_t size; (size = read(ready[0], buffer, sizeof buffer)) > 0;) ready_line_.append(buffer, size);
  close(ready[0]);
  if (ready_line_ != "ready\n") return false;
  stub_ = v1::Heddle::NewStub(
      grpc::CreateChannel("unix:" + directory_ + "/run/heddled.sock", grpc::InsecureChannelCredentials()));
  return true;
}

int DaemonTest::wait_exit(std::chrono::milliseconds limit) {
  const auto end = Clock::now() + limit;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > end) return -1;
    std::this_thread::sleep_for(2ms);
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string DaemonTest::write_file(const std::string& name, const std::string& text) {
  const std::string path = project_ + "/" + name;
  std::ofstream(path) << text;
  return path;
}

void DaemonTest::make_database() { write_file("compile_commands.json", "[]\n"); }

v1::CheckRequest DaemonTest::request(const std::string& file) const {
  v1::CheckRequest request;
  request.set_root(project_);
  request.add_files(file);
  return request;
}

v1::CheckRequest DaemonTest::of_hook(const std::string& file) const {
  v1::CheckRequest result = request(file);
  result.set_client("hook");
  return result;
}

v1::CheckRequest DaemonTest::of_editor(const std::string& file) const {
  v1::CheckRequest result = request(file);
  result.set_client("editor");
  result.set_urgent(true);
  return result;
}

std::unique_ptr<StreamReader> DaemonTest::check(const v1::CheckRequest& request) {
  return std::make_unique<StreamReader>([&](grpc::ClientContext* context) { return stub_->Check(context, request); });
}

std::unique_ptr<StreamReader> DaemonTest::watch(const std::string& file) {
  v1::WatchRequest watch;
  *watch.mutable_check() = request(file);
  return std::make_unique<StreamReader>([&](grpc::ClientContext* context) { return stub_->Watch(context, watch); });
}

v1::ProjectStatus DaemonTest::status() {
  grpc::ClientContext context;
  v1::StatusRequest request;
  v1::StatusResponse response;
  EXPECT_TRUE(stub_->Status(&context, request, &response).ok());
  return response.projects_size() > 0 ? response.projects(0) : v1::ProjectStatus();
}

void DaemonTest::go() const { std::ofstream(directory_ + "/go") << "go\n"; }

std::string DaemonTest::read_log() const {
  std::ifstream file(directory_ + "/run/heddled.log");
  return {std::istreambuf_iterator<char>(file), {}};
}

bool DaemonTest::eventually(const std::function<bool()>& condition) {
  const auto end = Clock::now() + std::chrono::minutes(2);
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

}  // namespace heddle::daemon
