// The version that a request names to compare with: `--base`, a revision of git, the commit before.
//
// In:      a request with a base, its project, the settings files of the check.
// Out:     the base's targets, compiled from its own texts: what it lacks is absent, whatever is on the disk. A source
//          that only the base has is taken to have been built as what is nearest now; the assumptions say so.
// Owns:    its targets; refers to the request and the project.
// Threads: the engine's main thread.
// Fails:   a base that does not compile is a message. One that was built in another way is not comparable: everything
//          counts as changed, and nothing is older.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/project/project.h"

namespace heddle::engine {

class GivenBase {
 public:
  static bool is_given(const v1::CheckRequest& request) { return !request.base().empty() || request.has_base_texts(); }

  GivenBase(const v1::CheckRequest& request, Project& project, const std::vector<std::string>& settings_files);

  // "--base old", "HEAD 1a2b3c4d5e"
  std::string name() const;
  const std::string& not_comparable() const { return not_comparable_; }  // a sentence; empty: it is comparable
  // Why it cannot be compared with; none: it was loaded. Afterwards the project has the texts of the request again.
  std::optional<std::string> load(const Loaded& now, const std::function<void(const std::string&)>& compiling,
                                  const Interrupt& interrupt);
  VersionPtr version_of(const std::string& target) const;  // null: it has no such target
  // Names of the base's programs that the request's files are part of: one that is deleted may be part of none now.
  const std::set<std::string>& touched_targets() const { return touched_targets_; }
  const std::vector<std::string>& left_out() const { return left_out_; }  // sentences
  const std::vector<std::string>& assumptions() const { return assumptions_; }

 private:
  std::vector<frontend::Overlay> texts_of_request() const;
  std::vector<std::string> gone_sources(const std::vector<frontend::Overlay>& texts) const;
  void add_gone(const std::vector<std::string>& gone);
  std::string shown(const std::string& file) const;  // from the project's root
  void note_touched(const Loaded& old);
  std::string show_dependencies(const Loaded& now, std::vector<frontend::Overlay>& texts) const;

  const v1::CheckRequest& request_;
  Project& project_;
  std::string not_comparable_;
  frontend::TargetSet targets_;
  std::set<std::string> touched_targets_;
  std::vector<std::string> left_out_, assumptions_;
};

}  // namespace heddle::engine
