// Decides whether two findings are the same error, although an edit gave them different identities.
//
// In:      two findings.
// Out:     yes or no.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// True for the same rule, message and functions; line numbers in the message are ignored.
bool same_words(const v1::Finding& x, const v1::Finding& y);
// True also for data races on the same object between the same functions, whatever their statements do.
bool same_error(const v1::Finding& x, const v1::Finding& y);
// "data race on 'pool.stop'": the message without the threads and what they do.
std::string subject_of(const v1::Finding& finding);

}  // namespace heddle::engine
