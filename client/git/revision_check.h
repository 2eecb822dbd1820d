// A check of what git knows instead of what is on the disk: the index against HEAD, the work tree against a revision.
//
// In:      a work tree, the tree to check and the revision to compare with.
// Out:     one request per project that the changed files belong to, with texts of the tree where the disk has others,
//          and what the tree lacks. A file that sources include counts whatever it is called; a file that decides the
//          build, or a link, goes along as such.
// Owns:    values.
// Threads: any.
// Fails:   by value.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "client/git/git.h"

namespace heddle::client {

struct RevisionRequest {
  std::string tree;       // empty: the disk as it is
  std::string base;       // empty: nothing
  std::string base_name;  // "HEAD 1a2b3c4"
  std::string database_directory;
  bool disk_suppressions = false;  // what the disk's comments suppress counts, although the tree has them not
};

struct RevisionChecks {
  std::vector<v1::CheckRequest> requests;
  size_t files_changed = 0;                     // of the C family
  std::vector<std::string> left_out;            // changed files that belong to no program
  std::vector<std::string> suppressed_on_disk;  // files whose comments count, although the tree has them not
};

std::variant<RevisionChecks, Failure> make_revision_checks(const GitTree& git, const RevisionRequest& wanted);

}  // namespace heddle::client
