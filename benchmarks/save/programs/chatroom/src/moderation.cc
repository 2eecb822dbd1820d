#include "moderation.h"

#include <mutex>

namespace chat {

std::string LengthRule::why_refused(const std::string& text) const {
  if (text.size() <= most_) return "";
  return "longer than " + std::to_string(most_) + " letters";
}

std::string WordRule::why_refused(const std::string& text) const {
  for (const std::string& word : words_) {
    if (text.find(word) != std::string::npos) return "'" + word + "' is not said here";
  }
  return "";
}

void Strikes::add(const std::string& author) {
  std::unique_lock<std::shared_mutex> lock(mutex_);
  ++strikes_[author];
}

int Strikes::of(const std::string& author) const {
  std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = strikes_.find(author);
  return found == strikes_.end() ? 0 : found->second;
}

}  // namespace chat
