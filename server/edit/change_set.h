// Collects what an edit changed, as statements: it compares functions, follows changes forwards, and applies rules for
// what no single statement expresses.
//
// In:      facts of two versions.
// Out:     changed statements of the new version, deletions, changed roles, and sentences for people.
// Cost:    of functions with equal hashes only those that a change reaches are analysed.
// Owns:    its tables, summaries and views; shares the facts.
// Threads: one; views are made at first use.
// Fails:   never. What no statement expresses widens the scope (widen.cc) and is named in `widened`.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/edit/edit.h"
#include "server/edit/function_diff.h"
#include "server/edit/hidden.h"
#include "server/edit/propagate.h"

namespace heddle::edit {

struct Deletion {
  FunctionId function;  // in the new version; none: the function is gone
  uint32_t previous = FunctionDiff::kNone, next = FunctionDiff::kNone;
  CodeAddress old_at;
  std::vector<ObjectId> objects;  // mapped to the new version
};

struct RoleChange {  // a role whose every statement counts as inserted
  RoleId role;
  std::string why;
};

struct Edited {         // a statement of the project whose own text differs, on a path that returns
  FunctionId function;  // in the new version
  uint32_t before = FunctionDiff::kNone, after = FunctionDiff::kNone;  // none: inserted, deleted
  bool condition = false, value = false;                               // changed: when it happens; what it does
};

class ChangeSet {
 public:
  ChangeSet(const FactsPtr& before, const FactsPtr& after);

  struct Site {
    ChangeKind kind = ChangeKind::Changed;
    std::vector<ObjectId> old_objects;  // mapped to the new version
    CodeAddress old_at;                 // its counterpart, if it has one
  };
  std::map<CodeAddress, Site> sites;
  std::vector<Deletion> deletions;
  std::vector<RoleChange> roles;
  std::vector<ObjectId> gone;  // objects of roles that no longer exist, mapped
  bool everything = false;
  std::vector<std::string> widened, unchanged;
  std::vector<Edited> edited;        // in functions that both versions have
  std::set<EditKind> without_place;  // of what no statement expresses
  std::set<FunctionId> differing;    // functions of the new version, run by threads, whose code differs

  // Its text differs: not only the numbers of the lambdas that it calls or is.
  bool is_edited(FunctionId after) const;
  // The statement's counterpart; none: it has none, or it is unknown.
  CodeAddress old_of(CodeAddress site) const;

  const Versions& versions() const { return versions_; }
  Views& old_views() { return old_views_; }
  Views& new_views() { return new_views_; }
  const Summaries& old_summaries() const { return old_summaries_; }
  const Summaries& new_summaries() const { return new_summaries_; }

 private:
  void compare_functions();
  void compare_function(FunctionId before, FunctionId after);
  void added_function(FunctionId after);
  void removed_function(FunctionId before);
  void same_function(FunctionId before, FunctionId after);
  void judge_became_shared();
  void values_before_threads();
  void remember(const FunctionDiff& difference, const FunctionView& old_view, const FunctionView& new_view);
  void writes_changed(const FunctionView& old_view, uint32_t index);
  void accesses_changed(ObjectId object);
  void deleted(const FunctionView& view, const FunctionDiff::Deleted& gone, FunctionId after);
  void frees_deleted(const FunctionView& view, const FunctionDiff& difference, FunctionId after);
  void may_fail_now(const FunctionDiff& difference, const FunctionView& view);
  void compare_calls();
  void compare_globals();
  void compare_types();
  void compare_units();
  void compare_units_linked(const std::vector<std::pair<const program::Unit*, const program::Unit*>>& matched);
  void compare_definitions();
  void compare_roles();
  void compare_hidden();
  void describe_harmless();
  void touch_everything_of(ObjectId object);
  void site(CodeAddress at, ChangeKind kind, std::vector<ObjectId> old_objects = {}, CodeAddress old_at = {});
  std::vector<ObjectId> allocated_as(FunctionId after, uint32_t stack_object) const;
  bool newly_run(FunctionId after) const;
  bool adds_known(CodeAddress call);
  void calls_of_known_functions();
  std::pair<FunctionId, FunctionId> started(const analysis::Role& old) const;

  Versions versions_;
  Summaries old_summaries_, new_summaries_;
  Views old_views_, new_views_;
  Propagation propagation_;
  std::vector<CodeAddress> became_shared_;   // interactions in unchanged code that were none before
  std::vector<std::string> private_values_;  // variables of one thread whose initial value differs
  EditedCalls calls_before_, calls_after_;   // in functions that both versions have
  std::vector<FunctionId> differing_;        // new functions whose hash differs from the old one's
};

}  // namespace heddle::edit
