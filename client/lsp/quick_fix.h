// Edits that may mend a finding: take the lock that guards the other accesses.
//
// In:      a text, the place of an access that surely holds no lock, what the daemon says of the statement.
// Out:     the edit, or why there is none in a sentence for people. Whether it mends anything a trial check says.
// Owns:    values. Threads: pure. Fails: by value.
#pragma once

#include <string>
#include <variant>

#include "client/lsp/text.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::lsp {

struct LockFix {
  std::string lock;  // "account.mutex", as the program writes it
  Span replaced;     // whole lines
  std::string text;
};

// `partner_text`: the text of a file in which a partner takes the lock; says how locks are taken there.
std::variant<LockFix, std::string> take_lock_fix(const Text& text, size_t offset, const v1::Statement& statement,
                                                 const std::string& partner_text);
// The lock that most partners hold and the statement does not; empty: none.
std::string missing_lock(const v1::Statement& statement);

}  // namespace heddle::client::lsp
