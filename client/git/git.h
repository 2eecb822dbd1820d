// Git through its command line: what is staged, what a revision holds, where its hooks are.
//
// In:      a folder inside a work tree; git's own environment (GIT_DIR, GIT_INDEX_FILE), as hooks get it.
// Out:     git's answers. GitTree writes only what `git write-tree` writes. It runs no hook, filter, diff driver, text
//          converter or monitor of files, whatever the configuration says.
// Cost:    one process per call.
// Owns:    nothing.
// Threads: any.
// Fails:   by value: a Failure with the first line of git's standard error, or nothing, or an empty answer.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"
#include "client/report/line_map.h"

namespace heddle::client {

struct GitAnswer {
  int code = 0;
  std::string out, error;
  std::string remedy = {};  // not empty: git did not run, `error` says why
};
GitAnswer run_git(const std::string& folder, const std::vector<std::string>& arguments);

class GitTree {
 public:
  // The work tree that the folder is in.
  static std::variant<GitTree, Failure> at(const std::string& folder);
  const std::string& top() const { return top_; }
  std::string git_folder() const;                                      // common to all work trees; absolute
  std::string hooks_folder() const;                                    // core.hooksPath or the usual one; absolute
  std::optional<std::string> revision(const std::string& name) const;  // full id; none: there is no such
  std::optional<std::string> setting(const std::string& name) const;
  bool has_conflicts() const;
  std::variant<std::string, Failure> write_tree() const;  // of the index
  struct Change {
    char status = 'M';             // A, M, D, T
    std::string path;              // relative
    bool leads_elsewhere = false;  // a symbolic link or a submodule, before or after
  };
  // From one revision or tree to another; `to` empty: to the work tree. `from` empty: from nothing.
  std::variant<std::vector<Change>, Failure> changes(const std::string& from, const std::string& to) const;
  std::optional<std::string> text(const std::string& revision, const std::string& path) const;
  LineMap lines(const std::string& revision, const std::string& path) const;  // from there to the work tree
  // C and C++ files of the work tree that git does not track and does not ignore; relative.
  std::vector<std::string> untracked_sources() const;
  // Which of these names end a quoted one in C and C++ files of the revision; empty: in the work tree's.
  std::set<std::string> included_in_sources(const std::string& revision, const std::set<std::string>& names) const;

 private:
  GitAnswer git(std::vector<std::string> arguments) const;

  std::string top_;
  std::vector<std::string> filters_off_;  // arguments of git
};

}  // namespace heddle::client
