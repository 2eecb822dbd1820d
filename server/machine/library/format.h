// The printf and scanf families without their streams.
//
// In:      a format string, the variadic arguments, and for scanf a source of characters.
// Out:     text, or the number of assignments.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   false after a fault. Errors that C reports by the result (an incomplete format, a wide character that the C
//          locale lacks) set `failed` and errno.
// From:    ISO C17 7.21.6; where C leaves a choice, glibc 2.36. Numbers are converted one at a time by the host's
//          snprintf and strto*, which are pure in the C locale.
#pragma once

#include <string>
#include <vector>

#include "server/machine/library/builtin.h"

namespace heddle::machine::models {

struct TextRange {
  Pointer begin;
  uint64_t size = 0;  // bytes
};
// Copies between overlapping objects are undefined: a fault, and false, if `to` and a range of `read` overlap.
bool keeps_apart(Guest& g, const TextRange& to, const std::vector<TextRange>& read);

// `read`: where it was read from, the format included.
bool format(Guest& g, Pointer format, VariadicReader& arguments, std::string& out, bool& failed,
            std::vector<TextRange>* read = nullptr);

bool format_text(Guest& g, std::string format, VariadicReader& arguments, std::string& out, bool& failed,
                 std::vector<TextRange>* read = nullptr);

class CharacterSource {
 public:
  virtual ~CharacterSource() = default;
  virtual bool next(int& c) = 0;  // -1: the end; false: fault
  virtual bool back(int c) = 0;   // the newest one again; -1: nothing
};

// Of scanf: what follows a percent sign.
struct ScanDirective {
  bool suppress = false, allocate = false;
  int width = -1;      // -1: unlimited
  uint32_t bytes = 4;  // of an integer
  bool is_long = false, is_long_double = false;
  char letter = 0;  // 0: the format ends too early
};
// `at` is after the percent sign, and then after the directive; of "%[" after the bracket.
ScanDirective next_directive(const std::string& format, size_t& at);
bool next_set(const std::string& format, size_t& at, bool (&member)[256]);  // false: it has no end

// `assigned` is what scanf returns.
bool scan(Guest& g, CharacterSource& source, Pointer format, VariadicReader& arguments, int& assigned);
bool scan_text(Guest& g, CharacterSource& source, std::string format, VariadicReader& arguments, int& assigned);

}  // namespace heddle::machine::models
