// What fuzz targets have in common: a promise that does not hold ends the process, so that the input is kept.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/support/compile_text.h"

#define FUZZ_CHECK(condition)                                                            \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

namespace heddle::fuzz {

inline std::string text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// A text that does not compile is no program.
inline program::ProgramPtr program_of(const std::string& text) {
  try {
    return test::program_of(text);
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

}  // namespace heddle::fuzz
