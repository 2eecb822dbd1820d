#include "client/command_line/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "client/report/harmless_text.h"

namespace heddle::client {
namespace {

constexpr char kOtherFile[] = "name a file that can be written";

std::string replayed_id(const Options& options) {
  if (options.schedule.empty()) return options.id;
  const size_t target = options.schedule.find('~'), id = options.schedule.find('~', target + 1);
  return target == std::string::npos || id == std::string::npos
             ? ""
             : options.schedule.substr(id + 1, options.schedule.find('~', id + 1) - id - 1);
}

ReportOptions report_options(const Options& options, const std::string& root, const Output& output) {
  ReportOptions report;
  report.style = detect_style(fileno(output.file()), options.colour);
  report.out = output.file();
  report.full = options.full;
  report.root = root;
  report.quiet = options.quiet;
  report.verbose = options.verbose;
  report.only_new = options.only_new;
  report.many_checks = options.command == Command::Watch;
  report.all_steps = options.all || options.command == Command::Show || options.command == Command::Replay;
  report.detail = options.all || options.detail ? Detail::Everything : Detail::Story;
  if (options.command == Command::Replay) report.replayed = replayed_id(options);
  report.quote = options.overlays.empty() && !options.staged && options.range.empty();
  return report;
}

}  // namespace

int fail(const Failure& failure, ExitCode code) {
  std::fprintf(stderr, "heddle: %s\n", harmless(failure.message).c_str());
  if (!failure.remedy.empty()) std::fprintf(stderr, "heddle: %s\n", harmless(failure.remedy).c_str());
  return static_cast<int>(code);
}

Output::Output(const Options& options) : path_(options.output) {
  open(options);
  if (file_ == nullptr) failure_ = Failure{"--output " + path_ + ": " + std::strerror(errno), kOtherFile};
}

void Output::open(const Options& options) {
  if (path_.empty()) {
    file_ = stdout;
    return;
  }
  const bool document = options.format == Format::Sarif || options.format == Format::Html;
  if (document && options.command != Command::Watch) {
    if (auto made = disk::Replacement::begin(path_)) replacement_.emplace(std::move(*made));
  }
  if (!replacement_) {  // also devices, and a file in a folder where none can be made
    file_ = std::fopen(path_.c_str(), "we");
    return;
  }
  const int fd = ::fcntl(replacement_->descriptor(), F_DUPFD_CLOEXEC, 0);
  file_ = fd < 0 ? nullptr : ::fdopen(fd, "w");
  if (file_ == nullptr && fd >= 0) ::close(fd);
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

std::optional<Failure> Output::finish() {
  std::FILE* const file = std::exchange(file_, nullptr);
  const std::string name = path_.empty() ? "standard output" : "--output " + path_;
  errno = 0;
  bool good = std::ferror(file) == 0 && std::fflush(file) == 0;
  int error = errno;
  const bool wrote = replacement_ && ::lseek(replacement_->descriptor(), 0, SEEK_CUR) > 0;
  if (file != stdout && std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (!good) {  // what went wrong earlier left no reason
    const std::string why = error != 0 ? std::string(": ") + std::strerror(error) : "";
    return Failure{name + " could not be written whole" + why, "is the disk full? else name another file"};
  }
  std::string problem;
  if (wrote && !replacement_->commit(&problem)) return Failure{name + " " + problem, kOtherFile};
  return std::nullopt;
}

int with_output(const Options& options, const std::function<int(const Output&)>& run) {
  Output output(options);
  if (output.failure()) return fail(*output.failure(), ExitCode::Usage);
  const int code = run(output);
  if (code == static_cast<int>(ExitCode::Interrupted)) return code;
  const auto failure = output.finish();
  return failure ? fail(*failure, ExitCode::Internal) : code;
}

std::unique_ptr<Report> make_report(const Options& options, const std::string& root, const Output& output,
                                    Progress& progress) {
  const ReportOptions report = report_options(options, root, output);
  switch (options.format) {
    case Format::Jsonl: return make_jsonl_report(report, progress);
    case Format::Sarif: return make_sarif_report(report, progress);
    case Format::Html: return make_html_report(report, progress);
    case Format::Text: break;
  }
  return make_text_report(report, progress);
}

void report_failure(const Options& options, Report& report, const Failure& failure, v1::ErrorClass error) {
  if (options.format == Format::Text) return;
  v1::Event event;
  v1::Verdict& verdict = *event.mutable_verdict();
  verdict.set_kind(v1::VERDICT_ERROR);
  verdict.set_error(error);
  verdict.set_step("final");
  verdict.set_message(failure.message + (failure.remedy.empty() ? "" : "; " + failure.remedy));
  verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
  report.event(event);
}

}  // namespace heddle::client
