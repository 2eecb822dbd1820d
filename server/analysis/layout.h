// Folds offsets inside abstract objects, so that all elements of an array share the offsets of the first.
//
// In:      an object's shape and a byte offset.
// Out:     the offset that stands for it, or kUnknownOffset (unknown offset). An offset outside the object is returned
//          unchanged.
// Cost:    the nesting depth of the type, 32 at most.
// Owns:    nothing; a Shape refers to the unit of its type.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include <cstdint>

#include "server/program/program.h"

namespace heddle::analysis {

inline constexpr int64_t kUnknownOffset = INT64_MIN;  // an unknown offset in the object

struct Shape {
  uint64_t size = 0;
  const program::Unit* unit = nullptr;  // of the type; null: unknown
  program::TypeId type;
  int64_t period = 0;  // > 0: offsets repeat with it; 1: a single cell
};

int64_t fold(const Shape& shape, int64_t offset);
// Before the object, or past its end.
bool outside(const Shape& shape, int64_t offset);
// Outside or at the end: memory that no correct access touches.
bool past_end(const Shape& shape, int64_t offset);
// Is it known that there is neither an array nor a union that may contain one?
bool is_no_array(const Shape& object, int64_t offset);
// Does a step of `stride` bytes at this offset lead from one element of an array to another?
bool fits_array(const Shape& shape, int64_t offset, int64_t stride);

}  // namespace heddle::analysis
