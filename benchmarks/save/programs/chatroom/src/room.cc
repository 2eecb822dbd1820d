#include "room.h"

#include <algorithm>

namespace chat {

void Room::join(const std::shared_ptr<Mailbox>& member) {
  std::lock_guard<std::mutex> lock(mutex_);
  members_.push_back(member);
}

std::vector<std::shared_ptr<Mailbox>> Room::present_locked() {
  std::vector<std::shared_ptr<Mailbox>> present;
  for (const std::weak_ptr<Mailbox>& member : members_) {
    if (std::shared_ptr<Mailbox> mailbox = member.lock()) present.push_back(std::move(mailbox));
  }
  members_.assign(present.begin(), present.end());
  return present;
}

int Room::post(const std::string& author, const std::string& text) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto message = std::make_shared<const Message>(Message{author, text, ++posted_});
  int reached = 0;
  for (const std::shared_ptr<Mailbox>& member : present_locked()) {
    if (member->owner() == author) continue;
    member->deliver(message);
    ++reached;
  }
  return reached;
}

std::size_t Room::members() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const auto& member) { return !member.expired(); }));
}

int Room::posted() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return posted_;
}

}  // namespace chat
