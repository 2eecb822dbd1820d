// A guest over a flat list of objects, enough to run one library model after the other without the machine.
//
// In:      the name of a model and its arguments. Out: its result, the memory, the fault.
// Checks:  bounds, liveness and initialisation, as the machine does; no races, no rewinding.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/machine/library/builtin.h"

namespace heddle::machine {

Builtin find_model(std::string_view name);  // null if there is none

// An argument behind the named ones.
struct Extra {
  enum Kind { Integer, Double, LongDouble } kind = Integer;
  uint64_t bits = 0;
  double number = 0;
  long double extended = 0;
  static Extra integer(uint64_t bits) { return {Integer, bits, 0, 0}; }
  static Extra pointer(Pointer p) { return integer(p.bits); }
  static Extra real(double value) { return {Double, 0, value, 0}; }
  static Extra long_real(long double value) { return {LongDouble, 0, 0, value}; }
};

class FakeGuest : public Guest {
 public:
  FakeGuest();

  // Runs a model to its end; calls of guest functions go to `functions`.
  Status run(std::string_view name, std::vector<uint64_t> arguments, std::vector<Extra> extra = {});
  uint64_t value() const { return result_[0]; }
  uint64_t value_high() const { return result_[1]; }
  int32_t int_value() const { return static_cast<int32_t>(result_[0]); }
  double double_value() const { return __builtin_bit_cast(double, result_[0]); }
  float float_value() const { return __builtin_bit_cast(float, static_cast<uint32_t>(result_[0])); }
  long double long_double_value() const { return long_double_; }
  void long_double_arguments(std::vector<long double> values) { long_doubles_ = std::move(values); }

  Pointer make(uint64_t size, bool initialised = true);  // a fresh object
  Pointer make_text(std::string_view text);              // with terminator
  std::string text_at(Pointer p);                        // up to the terminator
  std::string bytes_at(Pointer p, uint64_t size);
  int32_t error();
  void clear_error() { set_errno(0); }
  Pointer variable(std::string_view name) { return process_object(name, 0); }

  std::optional<FaultKind> fault_kind;
  std::string fault_message, standard_output, standard_error;
  std::optional<int> exit_code;
  std::map<uint64_t, std::function<uint64_t(std::span<const uint64_t>)>> functions;
  uint32_t live_blocks = 0;

  ThreadId thread() const override { return thread_; }
  void set_thread(uint32_t n) { thread_ = ThreadId(n); }
  uint32_t argument_count() const override { return static_cast<uint32_t>(arguments_.size()); }
  uint64_t argument(uint32_t n) const override { return n < arguments_.size() ? arguments_[n] : 0; }
  uint64_t argument_high(uint32_t) const override { return 0; }
  long double long_double_argument(uint32_t n) const override { return long_doubles_[n]; }
  VariadicReader& variadic_arguments(uint32_t) override { return reader_; }
  VariadicReader& variadic_list(Pointer) override { return reader_; }
  using Guest::result;
  void result(uint64_t bits) override { result_ = {bits, 0}; }
  void result_two(uint64_t first, uint64_t second) override { result_ = {first, second}; }
  void result_long_double(long double value) override { long_double_ = value; }
  bool read(Pointer from, void* to, uint32_t size) override;
  bool write(Pointer to, const void* from, uint32_t size) override;
  bool fill(Pointer to, uint8_t byte, uint64_t size) override;
  bool copy(Pointer to, Pointer from, uint64_t size, bool may_overlap) override;
  bool string_length(Pointer text, uint64_t& length) override;
  bool read_string(Pointer text, std::string& out, uint64_t limit = ~uint64_t{0}) override;
  Pointer allocate(uint64_t size, uint64_t alignment, bool zeroed) override;
  bool release(Pointer block) override;
  bool block_size(Pointer block, uint64_t& size) override;
  Pointer process_object(std::string_view name, uint32_t size) override;
  Pointer thread_object(std::string_view name, uint32_t size) override;
  Pointer constant_string(std::string_view text) override;
  bool set_errno(int32_t value) override;
  void output(int descriptor, std::string_view text) override {
    (descriptor == 2 ? standard_error : standard_output) += text;
  }
  uint64_t next_tick() override { return tick_ += 1000; }
  Status fault(FaultKind kind, std::string message) override;
  Status writes_past(Pointer, uint64_t bytes, uint64_t room) override {
    return fault(FaultKind::OutOfBounds, std::to_string(bytes) + " bytes to " + std::to_string(room));
  }
  Status exit_process(int code, bool) override;
  Status call(Pointer function, std::span<const uint64_t> arguments) override;
  uint32_t stage() const override { return stage_; }
  uint64_t& state(uint32_t i) override { return state_[i]; }
  uint64_t call_result() const override { return call_result_; }

 private:
  struct Object {
    std::vector<uint8_t> bytes;
    std::vector<bool> initialised;
    bool heap = false, live = true;
  };
  class Reader : public VariadicReader {
   public:
    explicit Reader(FakeGuest& guest) : guest_(guest) {}
    bool next_int(uint64_t& bits) override;
    bool next_double(double& value) override;
    bool next_long_double(long double& value) override;
    std::vector<Extra> values;
    size_t at = 0;

   private:
    bool take(Extra::Kind kind, Extra& value);
    FakeGuest& guest_;
  };

  Object* check(Pointer p, uint64_t size);

  std::vector<Object> objects_;
  std::map<std::string, Pointer, std::less<>> named_;
  std::vector<uint64_t> arguments_;
  std::vector<long double> long_doubles_;
  std::array<uint64_t, 2> result_{};
  long double long_double_ = 0;
  Reader reader_{*this};
  ThreadId thread_{0};
  uint64_t tick_ = 0;
  uint32_t stage_ = 0;
  std::array<uint64_t, 8> state_{};
  uint64_t call_result_ = 0;
};

}  // namespace heddle::machine
