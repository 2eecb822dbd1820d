// Names the mutex that guards a member: for people, and for Clang's -Wthread-safety. No build passes that flag yet, and
// other compilers ignore the macro.
//
// In:      the name of a mutex of the same class.
// Out:     an attribute, or nothing.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#if defined(__clang__)
#define HEDDLE_GUARDED_BY(x) __attribute__((guarded_by(x)))
#else
#define HEDDLE_GUARDED_BY(x)
#endif
