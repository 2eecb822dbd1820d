#include "tests/library/fake_guest.h"

#include <algorithm>

namespace heddle::machine {

Builtin find_model(std::string_view name) {
  const auto rows = library_builtins();
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), name, [](const auto& row, auto n) { return row.name < n; });
  return at != rows.end() && at->name == name ? at->run : nullptr;
}

FakeGuest::FakeGuest() {
  objects_.resize(1);
  for (const DataRow& row : library_data()) {
    const Pointer p = make(row.size);
    std::memcpy(objects_[p.object()].bytes.data(), row.initial.data(), row.initial.size());
    named_[std::string(row.name)] = p;
  }
  for (const DataRow& row : library_data()) {
    if (!row.points_to.empty()) write(named_.find(row.name)->second, &named_.find(row.points_to)->second.bits, 8);
  }
}

Status FakeGuest::run(std::string_view name, std::vector<uint64_t> arguments, std::vector<Extra> extra) {
  arguments_ = std::move(arguments);
  reader_.values = std::move(extra);
  reader_.at = 0;
  result_ = {};
  stage_ = 0;
  fault_kind.reset();
  const Builtin model = find_model(name);
  if (model == nullptr) return fault(FaultKind::UnknownExternal, std::string(name));
  Status status = model(*this);
  while (status == Status::Call) {
    stage_++;
    status = model(*this);
  }
  return status;
}

Pointer FakeGuest::make(uint64_t size, bool initialised) {
  Object object;
  object.bytes.resize(size);
  object.initialised.assign(size, initialised);
  objects_.push_back(std::move(object));
  return Pointer::make(static_cast<uint32_t>(objects_.size() - 1), 0);
}

Pointer FakeGuest::make_text(std::string_view text) {
  const Pointer p = make(text.size() + 1);
  std::memcpy(objects_[p.object()].bytes.data(), text.data(), text.size());
  return p;
}

std::string FakeGuest::text_at(Pointer p) {
  std::string text;
  return read_string(p, text) ? text : "<fault>";
}

std::string FakeGuest::bytes_at(Pointer p, uint64_t size) {
  const auto& bytes = objects_[p.object()].bytes;
  return std::string(bytes.begin() + p.offset(), bytes.begin() + p.offset() + static_cast<ptrdiff_t>(size));
}

int32_t FakeGuest::error() {
  int32_t value = 0;
  read(thread_object("errno", 4), &value, 4);
  return value;
}

FakeGuest::Object* FakeGuest::check(Pointer p, uint64_t size) {
  if (p.object() == 0) return fault(FaultKind::NullDereference, "null"), nullptr;
  if (p.object() >= objects_.size()) return fault(FaultKind::WildPointer, "wild"), nullptr;
  Object& object = objects_[p.object()];
  if (!object.live) return fault(FaultKind::UseAfterFree, "freed"), nullptr;
  if (p.offset() > object.bytes.size() || size > object.bytes.size() - p.offset()) {
    return fault(FaultKind::OutOfBounds, "bounds"), nullptr;
  }
  return &object;
}

bool FakeGuest::read(Pointer from, void* to, uint32_t size) {
  Object* object = check(from, size);
  if (object == nullptr) return false;
  for (uint32_t i = 0; i < size; i++) {
    if (!object->initialised[from.offset() + i]) return fault(FaultKind::UninitialisedRead, "uninitialised"), false;
  }
  std::memcpy(to, object->bytes.data() + from.offset(), size);
  return true;
}

bool FakeGuest::write(Pointer to, const void* from, uint32_t size) {
  Object* object = check(to, size);
  if (object == nullptr) return false;
  std::memcpy(object->bytes.data() + to.offset(), from, size);
  std::fill_n(object->initialised.begin() + to.offset(), size, true);
  return true;
}

bool FakeGuest::fill(Pointer to, uint8_t byte, uint64_t size) {
  if (size == 0) return true;
  Object* object = check(to, size);
  if (object == nullptr) return false;
  std::memset(object->bytes.data() + to.offset(), byte, size);
  std::fill_n(object->initialised.begin() + to.offset(), size, true);
  return true;
}

bool FakeGuest::copy(Pointer to, Pointer from, uint64_t size, bool may_overlap) {
  if (size == 0) return true;
  Object *source = check(from, size), *target = source == nullptr ? nullptr : check(to, size);
  if (target == nullptr) return false;
  const uint64_t distance = to.offset() > from.offset() ? to.offset() - from.offset() : from.offset() - to.offset();
  if (!may_overlap && source == target && distance < size) return fault(FaultKind::OutOfBounds, "overlap"), false;
  const std::vector<uint8_t> bytes(source->bytes.begin() + from.offset(),
                                   source->bytes.begin() + from.offset() + static_cast<ptrdiff_t>(size));
  const std::vector<bool> marks(source->initialised.begin() + from.offset(),
                                source->initialised.begin() + from.offset() + static_cast<ptrdiff_t>(size));
  std::copy(bytes.begin(), bytes.end(), target->bytes.begin() + to.offset());
  std::copy(marks.begin(), marks.end(), target->initialised.begin() + to.offset());
  return true;
}

bool FakeGuest::string_length(Pointer text, uint64_t& length) {
  std::string bytes;
  if (!read_string(text, bytes)) return false;
  length = bytes.size();
  return true;
}

bool FakeGuest::read_string(Pointer text, std::string& out, uint64_t limit) {
  out.clear();
  while (out.size() < limit) {
    char c;
    if (!read(Pointer{text.bits + out.size()}, &c, 1)) return false;
    if (c == 0) break;
    out.push_back(c);
  }
  return true;
}

Pointer FakeGuest::allocate(uint64_t size, uint64_t, bool zeroed) {
  if (size > uint64_t{1} << 28) {
    set_errno(ENOMEM);
    return {};
  }
  const Pointer p = make(size, zeroed);
  objects_[p.object()].heap = true;
  live_blocks++;
  return p;
}

bool FakeGuest::release(Pointer block) {
  uint64_t size;
  if (block.bits == 0) return true;
  if (!block_size(block, size)) return false;
  objects_[block.object()].live = false;
  live_blocks--;
  return true;
}

bool FakeGuest::block_size(Pointer block, uint64_t& size) {
  if (block.object() >= objects_.size() || !objects_[block.object()].heap || block.offset() != 0) {
    return fault(FaultKind::InvalidFree, "no heap block"), false;
  }
  if (!objects_[block.object()].live) return fault(FaultKind::DoubleFree, "freed"), false;
  size = objects_[block.object()].bytes.size();
  return true;
}

Pointer FakeGuest::process_object(std::string_view name, uint32_t size) {
  const auto at = named_.find(name);
  if (at != named_.end()) return at->second;
  return named_[std::string(name)] = make(size);
}

Pointer FakeGuest::thread_object(std::string_view name, uint32_t size) {
  return process_object("thread " + std::to_string(thread_.value) + " " + std::string(name), size);
}

Pointer FakeGuest::constant_string(std::string_view text) {
  const std::string key = "text " + std::string(text);
  const auto at = named_.find(key);
  if (at != named_.end()) return at->second;
  return named_[key] = make_text(text);
}

bool FakeGuest::set_errno(int32_t value) { return write(thread_object("errno", 4), &value, 4); }

Status FakeGuest::fault(FaultKind kind, std::string message) {
  if (!fault_kind.has_value()) {
    fault_kind = kind;
    fault_message = std::move(message);
  }
  return Status::Faulted;
}

Status FakeGuest::exit_process(int code, bool) {
  exit_code = code;
  return Status::Done;
}

Status FakeGuest::call(Pointer function, std::span<const uint64_t> arguments) {
  call_result_ = functions.at(function.bits)(arguments);
  return Status::Call;
}

bool FakeGuest::Reader::take(Extra::Kind kind, Extra& value) {
  if (at >= values.size() || values[at].kind != kind) {
    guest_.fault(FaultKind::OutOfBounds, "no such variadic argument");
    return false;
  }
  value = values[at++];
  return true;
}
bool FakeGuest::Reader::next_int(uint64_t& bits) {
  Extra value;
  if (!take(Extra::Integer, value)) return false;
  bits = value.bits;
  return true;
}
bool FakeGuest::Reader::next_double(double& number) {
  Extra value;
  if (!take(Extra::Double, value)) return false;
  number = value.number;
  return true;
}
bool FakeGuest::Reader::next_long_double(long double& number) {
  Extra value;
  if (!take(Extra::LongDouble, value)) return false;
  number = value.extended;
  return true;
}

}  // namespace heddle::machine
