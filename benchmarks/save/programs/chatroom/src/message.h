#pragma once

#include <memory>
#include <string>

namespace chat {

struct Message {
  std::string author;
  std::string text;
  int number = 0;  // in its room
};

// Sent once, read by every member, never changed.
using MessagePtr = std::shared_ptr<const Message>;

}  // namespace chat
