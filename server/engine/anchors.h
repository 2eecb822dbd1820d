// Where the statements of an older version are in a newer one, for findings that outlive an edit of their text.
//
// In:      two linked programs. Out: findings with places of the newer text; code addresses of statements.
// Cost:    linear in the functions that are named. Owns: shares the programs. Threads: one.
// Fails:   a statement whose function changed keeps its old line; one whose function is gone has no address.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/program/program.h"

namespace heddle::engine {

class Anchors {
 public:
  Anchors(program::ProgramPtr before, program::ProgramPtr after);

  v1::Finding moved(const v1::Finding& finding) const;
  // Instructions of the newer version, given as Finding::visible has them; sorted.
  std::vector<program::CodeAddress> addresses(const google::protobuf::RepeatedPtrField<std::string>& visible) const;

 private:
  using Key = std::tuple<std::string, uint32_t, uint32_t>;  // file, line, column
  void move(v1::Place& place) const;
  void move_visible(std::string& text) const;
  std::optional<program::CodeAddress> successor(program::CodeAddress at) const;

  program::ProgramPtr before_, after_;
  std::multimap<Key, program::CodeAddress> code_;           // of the older version, project functions only
  std::map<std::string, program::FunctionId> functions_;    // of the newer version, by stable name
};

}  // namespace heddle::engine
