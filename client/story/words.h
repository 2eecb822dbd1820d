// Parts of sentences about findings.
//
// In:      parts of a finding.
// Out:     words; names of the program between backticks, places as "pool.cc:40".
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

std::string where(const v1::Place& place);  // "pool.cc:40"
// "run()"; what Clang makes for a variable is no function to the reader: "initialiser of count".
std::string called(const std::string& function);
// A thread at the beginning of a sentence: "Worker 1 (consume)", "The main thread".
std::string sentence_begin(const std::string& thread);
// "'m'" -> "`m`".
std::string with_backticks(const std::string& text);
std::string list_of(const std::vector<std::string>& names);  // "`a`, `b` and `c`"
std::string holding(const std::vector<std::string>& locks);  // " holding `m`", " without a lock"
// Of a read: weaker memory lets it find another value than the one stored last.
bool finds_older_value(const v1::TraceStep& step);
// The last step before that writes what the step reads; -1: none is shown.
int last_write_before(const v1::Finding& finding, int step);
// What an edit did: "your edit of line 40 removed the lock of `m`"; of a statement that it did not touch: "your edit
// elsewhere affects the read of `count` at line 5".
std::string edit_words(const v1::Fragment& fragment, bool is_new);

}  // namespace heddle::client
