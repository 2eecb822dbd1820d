#include "server/base/wire.h"

#include <cstring>

namespace heddle::base {

WireWriter& WireWriter::number(uint64_t value) {
  out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

WireWriter& WireWriter::text(std::string_view value) {
  number(value.size());
  out_ += value;
  return *this;
}

uint64_t WireReader::number() {
  uint64_t value = 0;
  good_ = good_ && left_.size() >= sizeof value;
  if (!good_) return 0;
  std::memcpy(&value, left_.data(), sizeof value);
  left_.remove_prefix(sizeof value);
  return value;
}

std::string_view WireReader::text() {
  const uint64_t size = number();
  good_ = good_ && size <= left_.size();
  if (!good_) return {};
  const std::string_view value = left_.substr(0, size);
  left_.remove_prefix(size);
  return value;
}

size_t WireReader::count(size_t bytes_least) {
  const uint64_t value = number();
  good_ = good_ && value <= left_.size() / bytes_least;
  return good_ ? static_cast<size_t>(value) : 0;
}

}  // namespace heddle::base
