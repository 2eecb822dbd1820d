// What is known about one project and must be on screen: findings with places that move, changed fragments, verdicts.
//
// In:      events of checks with the texts they saw; edits.
// Out:     findings, each fresh or stale.
// Owns:    copies of findings.
// Threads: the loop's thread.
// Fails:   never.
// From:    `docs/LSP.md`.
//
// A result belongs to a version. An edit moves it and makes it stale. Only a newer run removes it: one that reports it
// fixed, or that ended without it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/lsp/documents.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::lsp {

// A stretch of a file: in the text of the open document, or in `basis` when the file is not open.
struct Placed {
  std::string path;
  Span span;
  TextPtr basis;
};

// Texts as one check saw them: snapshots of open documents, files of the disk as they were when first asked for.
class SeenTexts {
 public:
  explicit SeenTexts(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}
  const Snapshot& snapshot() const { return snapshot_; }
  TextPtr text(const std::string& path);
  TextPtr known(const std::string& path) const;  // null: the check reported no place in it
  // A compiler's place in the text as it is now.
  Placed place(Documents& documents, const std::string& path, uint32_t line, uint32_t column);

 private:
  const Snapshot snapshot_;
  std::map<std::string, TextPtr> from_disk_;
};

struct ShownFinding {
  v1::Finding finding;
  std::string target;
  std::vector<Placed> places;             // of finding.places
  std::vector<Placed> steps;              // of finding.trace
  std::vector<Placed> frames;             // of finding.frames
  std::set<size_t> shown_steps;           // of those, the decisive ones and those of its story
  std::shared_ptr<const SeenTexts> seen;  // by the check that reported it last
  uint64_t run = 0;                       // of that check
  uint64_t generation = 0;
  std::set<std::string> edited;  // files of it whose text can matter and differs from what was checked
  bool stale() const { return !edited.empty(); }
  // Seen in the version that was checked, not only in an earlier one.
  bool confirmed() const { return finding.state() != v1::FINDING_NOT_CONFIRMED; }
  bool since_edit = false;  // it came with the last change of the target
};

struct ShownFragment {
  v1::Fragment fragment;
  Placed place;   // where it begins
  Placed extent;  // all of it
  std::shared_ptr<const SeenTexts> seen;
  std::optional<int64_t> version;
  bool stale = false;
};

// A place that a verdict names as not checked, or as the place after which nothing was checked.
struct ShownUnchecked {
  Placed place;
  std::string code, message;
  bool inconclusive = false;  // beyond it, not at it
  std::shared_ptr<const SeenTexts> seen;
  bool stale = false;
};

struct TargetState {
  std::map<std::string, ShownFinding> findings;  // by id
  v1::Diffed diffed;                             // of the last comparison that found something changed
  std::vector<ShownFragment> fragments;
  std::vector<uint64_t> interleavings;  // per pair
  std::optional<v1::Verdict> verdict;   // the last final one
  std::vector<ShownUnchecked> unchecked;
  uint64_t generation = 0;
  uint64_t run = 0;         // that compared last
  uint64_t ended_run = 0;   // that gave the verdict
  uint64_t failed_run = 0;  // that gave an error instead
  uint64_t diffed_run = 0;  // that found the change which the fragments are of
  // The programs before and after that change, and the one that the last verdict is about.
  std::string program_before, program_after, judged_program;
};

class Findings {
 public:
  // A run reports a finding, or that it is fixed.
  void heard(const std::string& target, const v1::Finding& finding, uint64_t run, uint64_t generation,
             const std::shared_ptr<SeenTexts>& seen, Documents& documents);
  // The run has ended: findings that it did not report are removed, unless the verdict is an error. Fragments of
  // another change than the one that led to this program go, too.
  void target_ended(const std::string& target, const v1::Verdict& verdict, uint64_t run);
  // A whole check names all targets of the project: what others had goes. An empty list says nothing.
  void keep_targets(const std::set<std::string>& names);
  void clear();  // the project has no programs, or is gone
  // The files in which something is shown.
  std::set<std::string> files() const;
  // Where the verdict, of a target or of a whole check (""), says that something was not checked.
  void set_unchecked(const std::string& target, std::vector<ShownUnchecked> places);
  const std::vector<ShownUnchecked>& unchecked() const { return unchecked_; }  // of the last whole check
  void compared(const std::string& target, const v1::Diffed& diffed, uint64_t run, uint64_t generation,
                const std::shared_ptr<SeenTexts>& seen, Documents& documents);
  void edited(const std::string& path, const Edit& edit);  // an open document: places move
  void opened(const Document& document);
  void closed(const Document& document);  // REQUIRES: still open
  // What of this file is stale: where `matters` says so of the text that was seen.
  void refresh(const std::string& path, const std::function<bool(const TextPtr& seen)>& matters);

  std::map<std::string, TargetState>& targets() { return targets_; }
  const std::map<std::string, TargetState>& targets() const { return targets_; }
  // By unique prefix of its id, in the target of this name ("": in any; several have the same one if they share code);
  // null and a sentence in `problem` otherwise.
  const ShownFinding* find(const std::string& id, std::string& target, std::string& problem) const;
  size_t suppressed_count() const;
  size_t defect_count() const;        // neither suppressed nor what another one leads to
  size_t stale_defect_count() const;  // of those

 private:
  template <typename Visit>
  void each_place(Visit visit);

  std::map<std::string, TargetState> targets_;
  std::vector<ShownUnchecked> unchecked_;
};

}  // namespace heddle::client::lsp
