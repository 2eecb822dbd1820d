#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "message.h"

namespace chat {

// What one member has not read yet.
class Mailbox {
 public:
  explicit Mailbox(std::string owner) : owner_(std::move(owner)) {}

  const std::string& owner() const { return owner_; }
  void deliver(MessagePtr message);
  MessagePtr wait_for_next();  // null: the mailbox was closed and everything is read
  std::vector<MessagePtr> take_all();
  void close();
  int delivered() const;

 private:
  const std::string owner_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::list<MessagePtr> unread_;
  int delivered_ = 0;
  bool closed_ = false;
};

}  // namespace chat
