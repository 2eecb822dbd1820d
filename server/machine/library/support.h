// Small helpers that every library model uses; `builtin.h` has the contract of a model.
//
// In:      the Guest of a call; host values, texts and characters.
// Out:     values in guest memory; the Status that the model returns; tables of rows.
// Owns:    nothing; the tables are constant, made at first use.
// Threads: the thread that uses the machine; the character functions and tables any.
// Fails:   false or Status::Faulted after a fault, like the methods of Guest.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "server/machine/library/builtin.h"

namespace heddle::machine::models {

inline Pointer after(Pointer p, uint64_t bytes) { return {p.bits + bytes}; }

template <typename T>
bool load(Guest& g, Pointer from, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return g.read(from, &value, sizeof(T));
}

template <typename T>
bool store(Guest& g, Pointer to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return g.write(to, &value, sizeof(T));
}

inline Status done(Guest& g, Pointer p) {
  g.result(p);
  return Status::Done;
}
inline Status done(Guest& g, uint64_t bits) {
  g.result(bits);
  return Status::Done;
}
inline Status done_int(Guest& g, int32_t value) {
  g.result_int(value);
  return Status::Done;
}
inline Status done_if(bool good) { return good ? Status::Done : Status::Faulted; }

// The result of a function that failed with errno.
inline Status failed(Guest& g, int error, int32_t value = -1) {
  if (!g.set_errno(error)) return Status::Faulted;
  return done_int(g, value);
}
inline Status failed_long(Guest& g, int error, int64_t value) {
  if (!g.set_errno(error)) return Status::Faulted;
  return done(g, static_cast<uint64_t>(value));
}
inline Status failed_null(Guest& g, int error) { return failed_long(g, error, 0); }

// Where errno of the calling thread lives.
inline Pointer errno_address(Guest& g) { return g.thread_object("errno", 4); }

// Text as a fresh heap block with terminator; null without fault when there is no memory.
inline bool allocate_string(Guest& g, std::string_view text, Pointer& block) {
  block = g.allocate(text.size() + 1, 16, false);
  return block.bits == 0 || g.write_string(block, text);
}

// Does nothing and returns 0.
inline Status return_zero(Guest& g) { return done(g, uint64_t{0}); }

// C locale. Never the host's, which may have another locale.
inline bool is_space(int c) { return c == ' ' || (c >= 9 && c <= 13); }
inline bool is_digit(int c) { return c >= '0' && c <= '9'; }
inline bool is_upper(int c) { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(int c) { return c >= 'a' && c <= 'z'; }
inline bool is_alpha(int c) { return is_upper(c) || is_lower(c); }
inline bool is_alnum(int c) { return is_alpha(c) || is_digit(c); }
inline bool is_print(int c) { return c >= 32 && c < 127; }
inline bool is_hex(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline int to_lower(int c) { return is_upper(c) ? c + 32 : c; }
inline int to_upper(int c) { return is_lower(c) ? c - 32 : c; }
// Value of a digit in bases up to 36; 99 if it is none.
inline int digit_value(int c) {
  if (is_digit(c)) return c - '0';
  return is_alpha(c) ? to_lower(c) - 'a' + 10 : 99;
}

Status exit_model(Guest& g);         // exit(argument 0); library/stdlib.cc
std::string error_text(int number);  // of strerror; library/string.cc

// Ways to write a table of rows in several files.
using Rows = std::vector<BuiltinRow>;
Rows join(std::initializer_list<std::span<const BuiltinRow>> tables);  // library.cc
std::span<const BuiltinRow> search_rows();                             // library/search.cc
std::span<const BuiltinRow> number_rows();                             // library/number.cc
std::span<const BuiltinRow> sort_rows();                               // library/sort.cc
std::span<const BuiltinRow> random_rows();                             // library/random.cc
std::span<const BuiltinRow> print_rows();                              // library/print.cc
std::span<const BuiltinRow> fortified_print_rows();
std::span<const BuiltinRow> scan_rows();         // library/scan.cc
std::span<const BuiltinRow> descriptor_rows();   // library/descriptor.cc
std::span<const BuiltinRow> directory_rows();    // library/directory.cc
std::span<const BuiltinRow> wide_stream_rows();  // library/wide_stream.cc
std::span<const BuiltinRow> complex_rows();      // library/complex.cc
std::span<const BuiltinRow> wide_rows();         // library/wide.cc
std::span<const BuiltinRow> system_rows();       // library/system.cc
std::span<const BuiltinRow> option_rows();       // library/getopt.cc
std::span<const BuiltinRow> demangle_rows();     // library/demangle.cc

}  // namespace heddle::machine::models
