#pragma once

#include <map>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace chat {

class Refused : public std::runtime_error {
 public:
  Refused(const std::string& author, const std::string& why) : std::runtime_error(author + ": " + why) {}
};

// A rule looks at a text and may say why it is refused.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual std::string why_refused(const std::string& text) const = 0;
};

class LengthRule : public Rule {
 public:
  explicit LengthRule(std::size_t most) : most_(most) {}
  std::string why_refused(const std::string& text) const override;

 private:
  const std::size_t most_;
};

class WordRule : public Rule {
 public:
  explicit WordRule(std::vector<std::string> words) : words_(std::move(words)) {}
  std::string why_refused(const std::string& text) const override;

 private:
  const std::vector<std::string> words_;
};

// How often each author was refused: read by every message, written by few.
class Strikes {
 public:
  void add(const std::string& author);
  int of(const std::string& author) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, int> strikes_;
};

}  // namespace chat
