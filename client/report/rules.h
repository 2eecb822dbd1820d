// What each rule means, in a sentence, for reports that describe their rules. Ids never change.
//
// In:      a rule id.
// Out:     its row.
// Owns:    constant text; the row of an unknown id points to the caller's.
// Threads: any.
// Fails:   never; an unknown id (of a newer engine) is described by itself.
#pragma once

#include <string_view>

namespace heddle::client {

struct Rule {
  std::string_view id, title, description;
  bool warning = false;  // level "warning" instead of "error"
};

Rule rule_of(std::string_view id);

}  // namespace heddle::client
