// What each rule means, in a sentence, for reports that describe their rules. Ids never change.
//
// In:      a rule id. Out: static text. Threads: any. Fails: an unknown id (of a newer engine) is
//          described by itself.
#pragma once

#include <string_view>

namespace heddle::client {

struct Rule {
  std::string_view id, title, description;
  bool warning = false;  // level "warning" instead of "error"
};

Rule rule_of(std::string_view id);

}  // namespace heddle::client
