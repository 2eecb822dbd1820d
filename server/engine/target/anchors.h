// Maps findings of an older version to the places of their statements in a newer one.
//
// In:      two linked programs.
// Out:     findings and fragments with places in the newer text; code addresses of statements.
// Cost:    one pass over the older program's project code, then logarithmic per place.
// Owns:    shares the programs.
// Threads: immutable after construction, readable anywhere.
// Fails:   never. A place keeps its line if its function is gone, or if the function's code changed in length.
//          Statements that the newer version does not have get no address.
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
  v1::Fragment moved(const v1::Fragment& fragment) const;
  // The newer version's instructions that Finding::visible names; sorted.
  std::vector<program::CodeAddress> addresses(const google::protobuf::RepeatedPtrField<std::string>& visible) const;

 private:
  using Key = std::tuple<std::string, uint32_t, uint32_t>;  // file, line, column
  void move(v1::Place& place) const;
  void move_visible(std::string& text) const;
  std::optional<program::CodeAddress> successor(program::CodeAddress at) const;

  program::ProgramPtr before_, after_;
  std::multimap<Key, program::CodeAddress> code_;         // of the older version, project functions only
  std::map<std::string, program::FunctionId> functions_;  // of the newer version, by stable name
};

}  // namespace heddle::engine
