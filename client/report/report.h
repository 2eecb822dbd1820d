// Events of a check become output: text for people, one JSON object per line, or a document when the check has ended.
//
// In:      events in the order in which they came; the last one of a check is the combined verdict.
// Out:     results to ReportOptions::out: JSON lines as they come; text, but findings in the order of their defects,
//          with the next verdict or after two seconds; documents at the combined verdict.
// Owns:    the last combined verdict; not the file.
// Threads: one at a time (the progress line locks for itself).
// Fails:   never.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "client/report/progress.h"
#include "client/report/terminal.h"
#include "client/story/outline.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

class Report {
 public:
  virtual ~Report() = default;
  void event(const v1::Event& event);
  // The combined verdict; a check that ended without one (the daemon was killed) has none.
  const std::optional<v1::Verdict>& verdict() const { return verdict_; }
  virtual void findings(const v1::ShowResponse& response) = 0;
  virtual void pairs(const v1::PairsResponse& response, const std::string& place) = 0;  // place: "file[:line]" or ""
  virtual void status(const v1::StatusResponse& response) = 0;
  // Where no verdict will follow: what was kept to be shown in its order.
  virtual void flush() {}

 protected:
  virtual void show(const v1::Event& event) = 0;

 private:
  std::optional<v1::Verdict> verdict_;
};

struct ReportOptions {
  Style style;
  bool quiet = false;      // one line for each finding and one for the verdict
  bool verbose = false;    // all that the verdict rests on
  bool only_new = false;   // of the findings, those that the check introduced
  bool all_steps = false;  // every finding with its interleaving
  Detail detail = Detail::Story;
  bool quote = true;         // lines of the disk; false: another text is checked
  bool many_checks = false;  // watch: each check gets a heading
  bool full = false;         // every interleaving was asked for
  std::string root;          // of the project, absolute
  std::string replayed;      // id of the finding that is replayed, or its beginning; empty: none is
  std::FILE* out = stdout;
};

std::unique_ptr<Report> make_text_report(const ReportOptions& options, Progress& progress);
std::unique_ptr<Report> make_jsonl_report(const ReportOptions& options, Progress& progress);
std::unique_ptr<Report> make_sarif_report(const ReportOptions& options, Progress& progress);
std::unique_ptr<Report> make_html_report(const ReportOptions& options, Progress& progress);

bool is_combined_verdict(const v1::Event& event);
bool is_introduced(const v1::Finding& finding);  // by what was checked: neither the version before nor --base has it

}  // namespace heddle::client
