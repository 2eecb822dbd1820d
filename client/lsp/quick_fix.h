// Edits that may mend a finding: take the lock that guards the other accesses.
//
// In:      a text, the place of an access that surely holds no lock, the daemon's answer about the statement, and the
//          lines in which partners take the lock.
// Out:     the edit, or a sentence for people why there is none. A trial check decides whether it mends anything.
// Owns:    values.
// Threads: pure functions.
// Fails:   by value.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "client/lsp/text.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::lsp {

struct LockFix {
  std::string lock;  // "account.mutex", as the program writes it
  Span replaced;     // whole lines
  std::string text;
};

// Where a partner holds the lock: the nearest statement above that line that takes it is the model.
struct PartnerText {
  TextPtr text;
  uint32_t line = 0;     // from 1
  std::string function;  // "Account::deposit(int)"
};

std::variant<LockFix, std::string> take_lock_fix(const Text& text, size_t offset, const v1::Statement& statement,
                                                 const std::vector<PartnerText>& partners);
// The lock that most partners hold and the statement does not; empty: none.
std::string missing_lock(const v1::Statement& statement);

}  // namespace heddle::client::lsp
