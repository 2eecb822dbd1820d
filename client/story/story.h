// A finding in plain words: what each thread does with which lock, what nothing orders or what each waits for, and
// which edit made it so.
//
// In:      a finding as the daemon sends it; without its interleaving there is less to say.
// Out:     at most three sentences, one a line, that say nothing but what the interleaving shows.
// Owns:    nothing.
// Threads: pure function.
// Fails:   never; no sentence for a finding without places.
// From:    the three-line story is our own; Lincheck and Fray print the table alone.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

std::vector<std::string> story_of(const v1::Finding& finding);

}  // namespace heddle::client
