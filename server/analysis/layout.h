// Offsets inside abstract objects: array elements folded onto the first one.
//
// In:      what is known of an object's shape, a byte offset. Out: the offset that stands for it, kAnywhere, or an
//          offset outside the object as it is.
// Cost:    the nesting depth of the type. Owns: nothing. Threads: pure. Fails: never.
#pragma once

#include <cstdint>

#include "server/program/program.h"

namespace heddle::analysis {

inline constexpr int64_t kAnywhere = INT64_MIN;

struct Shape {
  uint64_t size = 0;
  const program::Unit* unit = nullptr;  // of the type; null: unknown
  program::TypeId type;
  int64_t period = 0;  // > 0: offsets repeat with it; 1: a single cell
};

int64_t fold(const Shape& shape, int64_t offset);
// Before the object, or behind its end.
bool outside(const Shape& shape, int64_t offset);
// Outside or at the end: memory that no access without an error touches.
bool behind(const Shape& shape, int64_t offset);
// Is it known that no array is there, nor a union that may have one?
bool is_no_array(const Shape& object, int64_t offset);
// Does a step of `stride` bytes at this offset go from one element of an array to another?
bool fits_array(const Shape& shape, int64_t offset, int64_t stride);

}  // namespace heddle::analysis
