#include "tests/engine/harness.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/base/clock.h"
#include "server/disk/user_state.h"

namespace heddle::engine::test {

namespace fs = std::filesystem;

namespace {

// Where engines keep what they know of lone files: not in the folder of the developer who runs the tests. Modules of
// the C++ library are shared with everybody.
const std::string& own_cache() {
  static const ProjectFolder folder;
  return folder.path();
}

}  // namespace

ProjectFolder::ProjectFolder() {
  std::string name = (fs::temp_directory_path() / "heddle-engine-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}

ProjectFolder::~ProjectFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ProjectFolder::write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(file(name)).parent_path());
  std::ofstream(file(name)) << text;
}

void ProjectFolder::write_database(const std::vector<std::string>& names) const {
  std::string text = "[";
  for (const std::string& name : names)
    text += std::string(text.size() > 1 ? "," : "") + "{\"directory\":\"" + path_ + "\",\"file\":\"" + file(name) +
            "\",\"arguments\":[\"cc\",\"-c\",\"" + file(name) + "\"]}\n";
  write("compile_commands.json", text + "]");
}

const v1::Verdict* Answer::final_verdict() const {
  for (const v1::Event& event : events)
    if (event.has_verdict() && event.target().empty()) return &event.verdict();
  static const v1::Verdict none;
  ADD_FAILURE() << (done ? "the check ended without a verdict" : "no end of the check in time") << "\n" << text();
  return &none;
}

const v1::Verdict* Answer::step1_verdict() const {
  for (const v1::Event& event : events)
    if (event.has_verdict() && event.verdict().step() == "step1") return &event.verdict();
  return nullptr;
}

const v1::Diffed* Answer::diffed() const {
  for (const v1::Event& event : events)
    if (event.has_diffed()) return &event.diffed();
  return nullptr;
}

std::vector<v1::Finding> Answer::findings() const {
  std::vector<v1::Finding> out;
  for (const v1::Event& event : events) {
    if (!event.has_finding() || event.finding().state() == v1::FINDING_FIXED) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const v1::Finding& other) {
      return other.id() == event.finding().id() && other.target() == event.finding().target();
    });
    if (same != out.end())
      *same = event.finding();  // told again: another finding stands for its defect
    else
      out.push_back(event.finding());
  }
  return out;
}

std::vector<std::string> Answer::rules() const {
  std::vector<std::string> out;
  for (const v1::Finding& finding : findings()) out.push_back(finding.rule());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> Answer::fixed() const {
  std::vector<std::string> out;
  for (const v1::Event& event : events)
    if (event.has_finding() && event.finding().state() == v1::FINDING_FIXED) out.push_back(event.finding().rule());
  return out;
}

std::vector<std::string> Answer::compiled() const {
  std::vector<std::string> out;
  for (const v1::Event& event : events)
    if (event.has_progress() && !event.progress().unit().empty())
      out.push_back(fs::path(event.progress().unit()).filename().string());
  return out;
}

size_t Answer::pairs_started() const {
  return static_cast<size_t>(
      std::count_if(events.begin(), events.end(), [](const v1::Event& event) { return event.has_pair_started(); }));
}

std::string Answer::assumptions() const {
  std::string all;
  if (const v1::Verdict* verdict = final_verdict())
    for (const std::string& assumption : verdict->scope().assumptions()) all += assumption + "\n";
  return all;
}

std::string Answer::text() const {
  std::string out;
  for (v1::Event event : events) {
    if (event.has_progress()) continue;
    if (event.has_verdict()) event.mutable_verdict()->mutable_stats()->clear_ms();
    if (event.has_pair_finished()) event.mutable_pair_finished()->mutable_stats()->clear_ms();
    if (event.has_finding()) event.mutable_finding()->clear_found_at_unix_ms();
    event.clear_generation();
    out += event.ShortDebugString() + "\n";
  }
  return out;
}

EngineProcess::EngineProcess(const Options& options) {
  own_cache();  // made here, in the process that removes it
  int ends[2];
  EXPECT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  pid_ = ::fork();
  if (pid_ == 0) {
    const int fd = ::dup(ends[1]);
    ::setenv("HEDDLE_LIBRARY_CACHE", (disk::user_cache() + "/heddle/library").c_str(), 0);
    ::setenv("XDG_CACHE_HOME", own_cache().c_str(), 1);
    for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (options.file_bytes_max > 0) {
      const rlimit limit{options.file_bytes_max, options.file_bytes_max};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    const std::string number = std::to_string(fd);
    ::execl(HEDDLE_ENGINE, HEDDLE_ENGINE, "--channel-fd", number.c_str(),
            options.one_command ? "--one-command" : nullptr, nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  channel_ = ends[0];
  reader_ = std::make_unique<base::FrameReader>(channel_);
}

EngineProcess::~EngineProcess() {
  ::close(channel_);  // the engine ends by itself
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

uint64_t EngineProcess::send(v1::Frame frame) {
  frame.set_request(next_request_);
  EXPECT_TRUE(base::write_frame(channel_, frame.SerializeAsString()));
  return next_request_++;
}

uint64_t EngineProcess::send_check(const v1::CheckRequest& request) {
  v1::Frame frame;
  *frame.mutable_check() = request;
  return send(std::move(frame));
}

std::optional<v1::Frame> EngineProcess::receive(double seconds) {
  const base::SteadyTime deadline = base::after_seconds(base::now(), seconds);
  for (;;) {
    if (const auto bytes = reader_->next()) {
      v1::Frame frame;
      EXPECT_TRUE(frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
      return frame;
    }
    if (reader_->state() != base::FrameReader::State::Open) return std::nullopt;
    const double left = base::seconds_until(deadline);
    if (left <= 0) return std::nullopt;
    pollfd ready{channel_, POLLIN, 0};
    ::poll(&ready, 1, static_cast<int>(left * 1000) + 1);
    reader_->fill();
  }
}

Answer EngineProcess::collect(uint64_t request, double seconds) {
  base::SteadyTime deadline = base::after_seconds(base::now(), seconds);
  Answer answer;
  std::vector<v1::Frame> earlier = std::exchange(kept_, {});
  size_t next = 0;
  while (!answer.done) {
    std::optional<v1::Frame> frame;
    if (next < earlier.size())
      frame = std::move(earlier[next++]);
    else
      frame = receive(base::seconds_until(deadline));
    if (!frame) break;
    if (frame->request() != request) {
      kept_.push_back(std::move(*frame));
      continue;
    }
    deadline = base::after_seconds(base::now(), seconds);  // an engine that says how far it is may be slow
    if (frame->has_event()) answer.events.push_back(frame->event());
    if (frame->has_files()) answer.files = frame->files();
    if (frame->has_done()) answer.done = frame->done();
  }
  for (; next < earlier.size(); ++next) kept_.push_back(std::move(earlier[next]));
  return answer;
}

Answer EngineProcess::check(const std::string& file) { return check(request_for(file)); }

void EngineProcess::send_raw(const std::string& bytes) {
  EXPECT_EQ(static_cast<ssize_t>(bytes.size()), ::write(channel_, bytes.data(), bytes.size()));
}

std::vector<pid_t> EngineProcess::children(const std::string& wanted) const {
  std::ifstream list("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children");
  std::vector<pid_t> out;
  for (pid_t child = 0; list >> child;) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(child) + "/comm"), name);
    if (name == wanted) out.push_back(child);
  }
  return out;
}

int EngineProcess::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return status;
}

void EngineProcess::kill(int signal) { ::kill(pid_, signal); }

v1::CheckRequest request_for(const std::string& file) {
  v1::CheckRequest out;
  out.add_files(file);
  return out;
}

}  // namespace heddle::engine::test
