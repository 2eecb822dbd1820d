// Makes texts that a checkout chose (names of files, functions and targets, strings of the program) fit for a terminal.
// Control characters could move its cursor, paint it or type into it.
//
// In:      a text, or a message with texts.
// Out:     the same with each control character but line feed and tab as "\x1b"; C1 controls (U+0080 to U+009F) too.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>

#include <google/protobuf/message.h>

namespace heddle::client {

std::string harmless(const std::string& text);
void make_harmless(google::protobuf::Message& message);  // every text in it

}  // namespace heddle::client
