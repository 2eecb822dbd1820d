// Is a finding the error that another version showed, although what an edit moved gave it another identity?
//
// In:      two findings. Out: yes or no. Owns: nothing. Threads: pure functions. Fails: never.
#pragma once

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// The same words about the same functions; lines in them do not count.
bool same_words(const v1::Finding& x, const v1::Finding& y);
// The same, or a data race on the same object between the same functions, whatever their statements do to it.
bool same_error(const v1::Finding& x, const v1::Finding& y);
// "data race on 'pool.stop'": the message without the threads and what they do.
std::string subject_of(const v1::Finding& finding);

}  // namespace heddle::engine
