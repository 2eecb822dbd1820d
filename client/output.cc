#include "client/output.h"

#include <cerrno>
#include <cstring>

#include "client/harmless_text.h"

namespace heddle::client {
namespace {

ReportOptions report_options(const Options& options, const std::string& root, const Output& output) {
  ReportOptions report;
  report.style = detect_style(fileno(output.file()), options.colour);
  report.out = output.file();
  report.full = options.full;
  report.root = root;
  report.quiet = options.quiet;
  report.many_checks = options.command == Command::Watch;
  report.all_steps = options.all || options.command == Command::Show || options.command == Command::Replay;
  return report;
}

}  // namespace

int fail(const Failure& failure, ExitCode code) {
  std::fprintf(stderr, "heddle: %s\n", harmless(failure.message).c_str());
  if (!failure.remedy.empty()) std::fprintf(stderr, "heddle: %s\n", harmless(failure.remedy).c_str());
  return static_cast<int>(code);
}

Output::Output(const std::string& path) : file_(path.empty() ? stdout : std::fopen(path.c_str(), "we")) {
  if (file_ == nullptr)
    failure_ = Failure{"--output " + path + ": " + std::strerror(errno), "name a file that can be written"};
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
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
