#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "moderation.h"
#include "room.h"

namespace chat {

struct Counts {
  int sent = 0;
  int refused = 0;
  int reached = 0;
};

class Server {
 public:
  explicit Server(std::vector<std::unique_ptr<Rule>> rules) : rules_(std::move(rules)) {}

  std::shared_ptr<Mailbox> enter(const std::string& member, const std::string& room);
  void say(const std::string& author, const std::string& room, const std::string& text);  // may throw Refused
  Counts counts() const;
  const Strikes& strikes() const { return strikes_; }
  std::shared_ptr<Room> find(const std::string& room) const;

 private:
  static constexpr int kStrikesMost = 3;
  void check(const std::string& author, const std::string& text);

  const std::vector<std::unique_ptr<Rule>> rules_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Room>> rooms_;
  Counts counts_;
  Strikes strikes_;
};

}  // namespace chat
