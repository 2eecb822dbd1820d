// A finding with the texts it is about: what the generators of fixes look at.
//
// In:      a finding, the accesses that conflict with its places, and the texts of the files.
// Out:     its places and steps as statements of these texts.
// Owns:    the sources, read when first asked for.
// Threads: one.
// Fails:   never; a place outside of the texts has no statement.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/fix/draft.h"
#include "client/fix/source.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::fix {

// Absolute path to text; none: it cannot be read, or may not be edited.
using ReadText = std::function<std::optional<std::string>(const std::string& path)>;

struct Spot {
  std::string path, function;
  const Source* source = nullptr;
  size_t offset = 0;
  NodeId statement = kNoNode;
  bool known() const { return source != nullptr && statement != kNoNode; }
  NodeId scope() const { return source->scope_of(statement); }
  NodeId block() const { return source->block_of(statement); }
  std::string_view code() const { return source->code_of(statement); }
};
Spot spot_at(const std::string& path, const Source& source, NodeId statement);  // of a text of the situation

struct Access {
  Spot spot;
  std::string kind;
  std::vector<std::string> locks;  // surely held
};

struct Step {
  Spot spot;
  uint32_t thread = 0;
  std::string kind, object;
  std::vector<std::string> locks;
};

class Situation {
 public:
  Situation(v1::Finding finding, ReadText read);
  const v1::Finding& finding() const { return finding_; }
  const std::string& rule() const { return finding_.rule(); }
  const std::vector<Spot>& places() const { return places_; }  // known ones
  const std::vector<Step>& steps() const { return steps_; }    // known ones
  const std::vector<Spot>& remedy() const { return remedy_; }  // of each change of the finding's remedy
  const std::vector<Access>& accesses() const { return accesses_; }
  // What the engine says of the statements at one of the finding's places.
  void add(const v1::ExplainResponse& explained);
  // The texts in which something of the finding stands.
  const std::map<std::string, std::unique_ptr<Source>>& sources() const { return sources_; }
  bool is_cpp() const;
  // "total" of "data race on 'total': ..."; empty: the message quotes nothing.
  std::string object() const;
  // The statements from the first to the last one of the scope that a step or a place is at: per scope, in order.
  std::vector<Spot> spots_of_steps() const;

 private:
  Spot spot(const v1::Place& place);
  void add_access(const v1::Place& place, const std::string& kind, std::vector<std::string> locks);

  const v1::Finding finding_;
  const ReadText read_;
  std::map<std::string, std::unique_ptr<Source>> sources_;
  std::vector<Spot> places_;
  std::vector<Step> steps_;
  std::vector<Access> accesses_;
  std::vector<Spot> remedy_;
};

// A possible fix: not yet proved.
struct Candidate {
  std::string title;                                      // "take 'm' around the accesses of 'total'"
  std::map<std::string, std::vector<Replacement>> edits;  // by path
};

// Edits of several files that belong together.
class Plan {
 public:
  explicit Plan(std::string title) : title_(std::move(title)) {}
  Draft& at(const Spot& spot);
  void finish(std::vector<Candidate>& out) const;  // adds nothing if there is no edit, or two overlap

 private:
  std::string title_;
  std::map<std::string, Draft> drafts_;
};

std::string last_name(const std::string& expression);  // "lock" of "account.lock" and "f->lock"

}  // namespace heddle::client::fix
