// Who guards what, checked by Clang (-Wthread-safety) and read by people; nothing for other compilers.
#pragma once

#if defined(__clang__)
#define HEDDLE_GUARDED_BY(x) __attribute__((guarded_by(x)))
#else
#define HEDDLE_GUARDED_BY(x)
#endif
