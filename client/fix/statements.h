// Where the statements, blocks and functions of a text begin and end.
//
// In:      a text whose comments, literals and preprocessor lines are blanked.
// Out:     the tree as nodes; the first one is the whole text, a parent comes before its children.
// Cost:    linear in the text.
// Owns:    values.
// Threads: pure function.
// Fails:   never: where braces do not match, statements end at the end of the text.
#pragma once

#include <string_view>
#include <vector>

#include "client/fix/source.h"

namespace heddle::client::fix {

std::vector<Node> statements_in(std::string_view code);

}  // namespace heddle::client::fix
