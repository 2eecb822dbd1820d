#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mailbox.h"
#include "message.h"

namespace chat {

// A room knows its members by their mailboxes. A member who left is forgotten with the next message.
class Room {
 public:
  explicit Room(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  void join(const std::shared_ptr<Mailbox>& member);
  int post(const std::string& author, const std::string& text);  // how many members it reached
  std::size_t members() const;
  int posted() const;

 private:
  std::vector<std::shared_ptr<Mailbox>> present_locked();

  const std::string name_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Mailbox>> members_;
  int posted_ = 0;
};

}  // namespace chat
