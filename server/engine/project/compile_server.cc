#include "server/engine/project/compile_server.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <map>
#include <string>
#include <utility>

#include "server/base/frames.h"
#include "server/base/mutex.h"
#include "server/base/reading_sandbox.h"
#include "server/engine/project/compile_wire.h"

namespace heddle::engine {
namespace {

constexpr size_t kStackBytes = size_t{256} << 20;  // touched only as far as it is needed

std::string news(CompileNews what) { return std::string(1, static_cast<char>(what)); }

class Server {
 public:
  Server(int channel, uint64_t memory_most, frontend::CompileOptions options)
      : channel_(channel), memory_most_(memory_most), reader_(channel), compiler_(options) {}

  void run() {
    while (const auto frame = next()) {
      const std::string bytes(*frame);  // the view ends with the next frame
      if (bytes.empty()) return;
      const std::string_view rest = std::string_view(bytes).substr(1);
      switch (static_cast<CompileOrder>(bytes[0])) {
        case CompileOrder::Compile: compile(rest); break;
        case CompileOrder::Prepare: prepare(rest); break;
        case CompileOrder::Rest: break;
        case CompileOrder::Drop: drop(std::string(rest)); break;
        case CompileOrder::Harness: harness(rest); break;
        default: return;
      }
    }
  }

 private:
  std::optional<std::string_view> next() {
    for (;;) {
      if (const auto frame = reader_.next()) return frame;
      if (reader_.state() != base::FrameReader::State::Open) return std::nullopt;
      pollfd ready{channel_, POLLIN, 0};
      if (::poll(&ready, 1, -1) > 0) reader_.fill();
    }
  }

  bool is_asked() const {
    pollfd ready{channel_, POLLIN, 0};
    return ::poll(&ready, 1, 0) > 0;
  }

  void prepare(std::string_view bytes) {
    base::WireReader in(bytes);
    const auto edited = read_paths(in);
    const auto coming = edited ? read_jobs(in) : std::nullopt;
    if (!coming) ::_exit(2);
    compiler_.prepare([this] { return is_asked(); }, *edited, *coming);
  }

  void drop(const std::string& file) {
    compiler_.drop(file);
    const base::MutexLock lock(mutex_);
    last_sent_.erase(file);
  }

  void harness(std::string_view bytes) {
    base::WireReader in(bytes);
    const auto order = read_order(in);
    if (!order) ::_exit(2);
    base::WireWriter out;
    write_harness(out, compiler_.harness(*order));
    if (!base::write_frame(channel_, news(CompileNews::Harness) + out.take())) ::_exit(0);
  }

  void compile(std::string_view bytes) {
    base::WireReader in(bytes);
    const uint64_t at_once = in.number();
    const auto jobs = read_jobs(in);
    if (!jobs) ::_exit(2);
    std::vector<bool> sent(jobs->size());
    const auto report = [&](size_t job, const frontend::CompileResult& result) {
      const base::MutexLock lock(mutex_);
      send((*jobs)[job].command.file, job, result);
      sent[job] = true;
    };
    const auto results = compiler_.compile_all(
        *jobs, static_cast<uint32_t>(at_once), [this](size_t job) { return may_begin(job); }, report);
    for (size_t job = 0; job < results.size(); ++job)
      if (results[job] && !sent[job]) report(job, *results[job]);
    base::write_frame(channel_, news(CompileNews::End));
    // What crashed compiles held is lost. A new process has all of the limit again.
    if (base::address_space_bytes() > memory_most_) ::_exit(0);
  }

  bool may_begin(size_t job) {
    {
      const base::MutexLock lock(mutex_);
      if (!base::write_frame(channel_, news(CompileNews::Begin) + base::WireWriter().number(job).take())) ::_exit(0);
    }
    const auto answer = next();
    return answer && *answer == "y";
  }

  void send(const std::string& file, size_t job, const frontend::CompileResult& result) HEDDLE_REQUIRES(mutex_) {
    program::UnitPtr& last = last_sent_[file];
    const bool known = result.unit && result.unit == last;
    base::WireWriter out;
    out.number(job);
    write_result(out, result, known);
    if (result.unit) last = result.unit;
    std::string frame = news(CompileNews::Result) + out.take();
    if (const std::string problem = base::too_large(frame.size()); !problem.empty()) {
      last = nullptr;
      frontend::CompileResult failed;
      failed.diagnostics.push_back({frontend::Severity::Error, file, 0, 0, "its code does not fit: " + problem});
      base::WireWriter short_out;
      short_out.number(job);
      write_result(short_out, failed, false);
      frame = news(CompileNews::Result) + short_out.take();
    }
    if (!base::write_frame(channel_, frame)) ::_exit(0);
  }

  const int channel_;
  const uint64_t memory_most_;
  base::FrameReader reader_;
  frontend::Compiler compiler_;
  base::Mutex mutex_;  // also held while a frame is written to the channel
  std::map<std::string, program::UnitPtr> last_sent_ HEDDLE_GUARDED_BY(mutex_);  // by file
};

void* run_server(void* server) {
  static_cast<Server*>(server)->run();
  ::_exit(0);
}

}  // namespace

void serve_compiles(int channel, uint64_t memory_bytes, frontend::CompileOptions options) {
  Server server(channel, base::address_space_bytes() + memory_bytes / 4 * 3, options);
  const std::string problem = base::enter_reading_sandbox(memory_bytes);
  base::write_frame(channel, news(CompileNews::Ready) + problem);
  if (!problem.empty()) ::_exit(1);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  if (pthread_create(&thread, &attributes, run_server, &server) == 0) pthread_join(thread, nullptr);
  ::_exit(1);
}

}  // namespace heddle::engine
