// Where results go, and in which form: what the commands that check have in common.
//
// In:      the options.
// Out:     a Report; exit codes with a message on standard error.
// Owns:    the file of --output.
// Threads: one.
// Fails:   by value: Output::failure() if the file cannot be opened.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "client/backend.h"
#include "client/options.h"
#include "client/report.h"

namespace heddle::client {

int fail(const Failure& failure, ExitCode code);

// Standard output, or the file of --output.
class Output {
 public:
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  const std::optional<Failure>& failure() const { return failure_; }
  std::FILE* file() const { return file_; }

 private:
  std::FILE* file_;
  std::optional<Failure> failure_;
};

std::unique_ptr<Report> make_report(const Options& options, const std::string& root, const Output& output,
                                    Progress& progress);
// jsonl promises a verdict as its last line, and a document is written, whatever happened.
void report_failure(const Options& options, Report& report, const Failure& failure, v1::ErrorClass error);

}  // namespace heddle::client
