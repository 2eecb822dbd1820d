// Where results go, and in which form: what the commands that check have in common.
//
// In:      the options.
// Out:     a Report; exit codes with a message on standard error.
// Owns:    the file of --output.
// Threads: one.
// Fails:   by value. with_output() fails if the file cannot be opened, or not all could be written; the old file then
//          stays, unless it was written as it came.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/command_line/options.h"
#include "client/link/backend.h"
#include "client/report/report.h"
#include "server/disk/replacement.h"

namespace heddle::client {

int fail(const Failure& failure, ExitCode code);

// Standard output, or the file of --output. A document (SARIF, HTML) replaces the old file when it is whole; what comes
// line by line, or for as long as a watch runs, is written as it comes.
class Output {
 public:
  explicit Output(const Options& options);
  ~Output();  // without finish(): an unfinished document is dropped
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  const std::optional<Failure>& failure() const { return failure_; }
  std::FILE* file() const { return file_; }
  // Call it last: the file is closed. A document of which nothing was written leaves the old one.
  std::optional<Failure> finish();

 private:
  void open(const Options& options);

  const std::string path_;
  std::optional<disk::Replacement> replacement_;
  std::FILE* file_ = nullptr;
  std::optional<Failure> failure_;
};

// Runs a command with the output of its options. Its exit code, or that of the output's failure.
int with_output(const Options& options, const std::function<int(const Output&)>& run);

std::unique_ptr<Report> make_report(const Options& options, const std::string& root, const Output& output,
                                    Progress& progress);
// jsonl promises a verdict as its last line, and a document is written, whatever happened.
void report_failure(const Options& options, Report& report, const Failure& failure, v1::ErrorClass error);

}  // namespace heddle::client
