#include "server.h"

namespace chat {

std::shared_ptr<Mailbox> Server::enter(const std::string& member, const std::string& name) {
  auto mailbox = std::make_shared<Mailbox>(member);
  std::shared_ptr<Room> room;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<Room>& known = rooms_[name];
    if (!known) known = std::make_shared<Room>(name);
    room = known;
  }
  room->join(mailbox);
  return mailbox;
}

std::shared_ptr<Room> Server::find(const std::string& name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = rooms_.find(name);
  return found == rooms_.end() ? nullptr : found->second;
}

void Server::check(const std::string& author, const std::string& text) {
  if (strikes_.of(author) >= kStrikesMost) throw Refused(author, "was refused too often");
  for (const std::unique_ptr<Rule>& rule : rules_) {
    const std::string why = rule->why_refused(text);
    if (why.empty()) continue;
    strikes_.add(author);
    throw Refused(author, why);
  }
}

void Server::say(const std::string& author, const std::string& name, const std::string& text) {
  try {
    check(author, text);
  } catch (const Refused&) {
    std::lock_guard<std::mutex> lock(mutex_);
    ++counts_.refused;
    throw;
  }
  const std::shared_ptr<Room> room = find(name);
  if (!room) throw Refused(author, "no room has the name " + name);
  const int reached = room->post(author, text);
  std::lock_guard<std::mutex> lock(mutex_);
  ++counts_.sent;
  counts_.reached += reached;
}

Counts Server::counts() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

}  // namespace chat
