// The copy constructor does not lock the source.
#pragma once

#include <mutex>
#include <string>

namespace wrong {

class Document {
 public:
  Document() = default;
  Document(const Document& other) {
    std::lock_guard<std::mutex> lock(mutex_);
    text_ = other.text_;
  }
  void append(const std::string& more) {
    std::lock_guard<std::mutex> lock(mutex_);
    text_ += more;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace wrong

namespace right {

class Document {
 public:
  Document() = default;
  Document(const Document& other) {
    std::lock_guard<std::mutex> lock(other.mutex_);
    text_ = other.text_;
  }
  void append(const std::string& more) {
    std::lock_guard<std::mutex> lock(mutex_);
    text_ += more;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace right
