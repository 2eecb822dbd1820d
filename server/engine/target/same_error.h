// Decides whether two findings are the same error, although an edit gave them different identities.
//
// In:      two findings.
// Out:     yes or no.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include <optional>
#include <string>

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// True for the same rule, message and functions; line numbers in the message are ignored.
bool same_words(const v1::Finding& x, const v1::Finding& y);
// True also for data races on the same object between the same functions, whatever their statements do.
bool same_error(const v1::Finding& x, const v1::Finding& y);
// The one function of x, and the one of y in its place, without which the two would be the same error; none: they differ
// in more, or in no function.
struct Renamed {
  std::string from, to;
};
std::optional<Renamed> renamed_between(const v1::Finding& x, const v1::Finding& y);
// "data race on 'pool.stop'": the message without the threads and what they do.
std::string subject_of(const v1::Finding& finding);

}  // namespace heddle::engine
