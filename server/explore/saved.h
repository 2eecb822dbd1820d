// Values written to bytes and read from them: where a search stands, for the same build of Heddle.
//
// In:      plain values, vectors of them, texts; bytes that this build has written.
// Out:     the bytes; the values.
// Owns:    a Writer its bytes, a Reader a view of the caller's.
// Threads: values.
// Fails:   a Reader of too few bytes gives zeros, and good() is false.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::explore {

class Writer {
 public:
  template <typename T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <typename T>
  void values(const std::vector<T>& all) {
    value(static_cast<uint64_t>(all.size()));
    for (const T& v : all) value(v);
  }
  void text(std::string_view text) {
    value(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <typename T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T v{};
    good_ = good_ && left_.size() >= sizeof v;
    if (!good_) return v;
    std::memcpy(&v, left_.data(), sizeof v);
    left_.remove_prefix(sizeof v);
    return v;
  }
  template <typename T>
  std::vector<T> values() {
    const auto count = value<uint64_t>();
    good_ = good_ && count <= left_.size() / sizeof(T);
    std::vector<T> all;
    for (uint64_t n = 0; good_ && n < count; ++n) all.push_back(value<T>());
    return all;
  }
  std::string text() {
    const auto size = value<uint64_t>();
    good_ = good_ && size <= left_.size();
    if (!good_) return {};
    const std::string result(left_.substr(0, size));
    left_.remove_prefix(size);
    return result;
  }
  bool good() const { return good_; }

 private:
  std::string_view left_;
  bool good_ = true;
};

}  // namespace heddle::explore
