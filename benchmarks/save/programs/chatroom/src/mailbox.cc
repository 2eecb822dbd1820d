#include "mailbox.h"

#include <utility>

namespace chat {

void Mailbox::deliver(MessagePtr message) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    unread_.push_back(std::move(message));
    ++delivered_;
  }
  arrived_.notify_one();
}

MessagePtr Mailbox::wait_for_next() {
  std::unique_lock<std::mutex> lock(mutex_);
  arrived_.wait(lock, [this] { return closed_ || !unread_.empty(); });
  if (unread_.empty()) return nullptr;
  MessagePtr message = std::move(unread_.front());
  unread_.pop_front();
  return message;
}

std::vector<MessagePtr> Mailbox::take_all() {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<MessagePtr> messages(unread_.begin(), unread_.end());
  unread_.clear();
  return messages;
}

void Mailbox::close() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  arrived_.notify_all();
}

int Mailbox::delivered() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return delivered_;
}

}  // namespace chat
