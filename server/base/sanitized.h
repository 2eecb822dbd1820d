// Whether this build runs under a sanitizer whose shadow memory is far beyond any sensible limit.
//
// In:      the compiler's macros.
// Out:     kSanitized.
// Owns:    nothing.
// Threads: a constant.
// Fails:   never.
#pragma once

namespace heddle::base {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace heddle::base
