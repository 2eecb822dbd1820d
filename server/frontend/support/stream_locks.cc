// Streams in a program that locks them itself, or uses them without a lock: flockfile and its like, and every function
// of a stream that takes the lock of its stream, as the C library's do. Other programs have the machine's models alone:
// one call is one step.
#include <cstdarg>
#include <cstdio>
#include <cwchar>

#include <pthread.h>

namespace {

struct Lock {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
};
// By the descriptors of the streams. One without has no lock: no other thread knows its text.
constexpr int kStreams = 64;
constinit Lock lock_of_stream[kStreams];

pthread_mutex_t* lock_of(FILE* stream) {
  const int number = fileno(stream);
  return number >= 0 && number < kStreams ? &lock_of_stream[number].mutex : nullptr;
}

}  // namespace

// Of programs with functions that take no lock: such a use races with those (hidden_state.cc).
extern "C" __attribute__((weak)) void heddle_use_of_stream(FILE* stream);

namespace {

template <typename Act>
auto locked(FILE* stream, const Act& act) {
  pthread_mutex_t* const lock = lock_of(stream);
  if (lock != nullptr) pthread_mutex_lock(lock);
  if (heddle_use_of_stream != nullptr) heddle_use_of_stream(stream);
  const auto result = act();
  if (lock != nullptr) pthread_mutex_unlock(lock);
  return result;
}

}  // namespace

extern "C" {

void flockfile(FILE* stream) {
  if (pthread_mutex_t* const lock = lock_of(stream)) pthread_mutex_lock(lock);
}
int ftrylockfile(FILE* stream) {
  pthread_mutex_t* const lock = lock_of(stream);
  return lock != nullptr && pthread_mutex_trylock(lock) != 0 ? -1 : 0;
}
void funlockfile(FILE* stream) {
  if (pthread_mutex_t* const lock = lock_of(stream)) pthread_mutex_unlock(lock);
}

// A function of a stream: `name` takes the lock of `stream` around the machine's model of it.
#define MODEL(result, name, parameters) result model_##name parameters __asm__("heddle." #name)
#define LOCKED(result, name, parameters, stream, arguments)        \
  MODEL(result, name, parameters);                                 \
  result name parameters {                                         \
    return locked(stream, [&] { return model_##name arguments; }); \
  }

LOCKED(int, fputc, (int c, FILE* to), to, (c, to))
LOCKED(int, putc, (int c, FILE* to), to, (c, to))
LOCKED(int, _IO_putc, (int c, FILE* to), to, (c, to))
LOCKED(int, putchar, (int c), stdout, (c))
LOCKED(int, fputs, (const char* text, FILE* to), to, (text, to))
LOCKED(int, puts, (const char* text), stdout, (text))
LOCKED(size_t, fwrite, (const void* from, size_t size, size_t count, FILE* to), to, (from, size, count, to))
LOCKED(int, vfprintf, (FILE * to, const char* format, va_list values), to, (to, format, values))
LOCKED(int, vprintf, (const char* format, va_list values), stdout, (format, values))
LOCKED(int, fgetc, (FILE * from), from, (from))
LOCKED(int, getc, (FILE * from), from, (from))
LOCKED(int, _IO_getc, (FILE * from), from, (from))
LOCKED(int, getchar, (), stdin, ())
LOCKED(int, ungetc, (int c, FILE* from), from, (c, from))
LOCKED(char*, fgets, (char* to, int size, FILE* from), from, (to, size, from))
LOCKED(size_t, fread, (void* to, size_t size, size_t count, FILE* from), from, (to, size, count, from))
LOCKED(ssize_t, getline, (char** to, size_t* size, FILE* from), from, (to, size, from))
LOCKED(ssize_t, getdelim, (char** to, size_t* size, int end, FILE* from), from, (to, size, end, from))
LOCKED(int, fseek, (FILE * stream, long to, int base), stream, (stream, to, base))
LOCKED(int, fseeko, (FILE * stream, off_t to, int base), stream, (stream, to, base))
LOCKED(long, ftell, (FILE * stream), stream, (stream))
LOCKED(off_t, ftello, (FILE * stream), stream, (stream))
LOCKED(int, fseeko64, (FILE * stream, off64_t to, int base), stream, (stream, to, base))
LOCKED(off64_t, ftello64, (FILE * stream), stream, (stream))
LOCKED(int, fgetpos, (FILE * stream, fpos_t* at), stream, (stream, at))
LOCKED(int, fsetpos, (FILE * stream, const fpos_t* at), stream, (stream, at))
LOCKED(int, feof, (FILE * stream), stream, (stream))
LOCKED(int, ferror, (FILE * stream), stream, (stream))
LOCKED(int, setvbuf, (FILE * stream, char* buffer, int how, size_t size), stream, (stream, buffer, how, size))
LOCKED(wint_t, fputwc, (wchar_t c, FILE* to), to, (c, to))
LOCKED(wint_t, putwc, (wchar_t c, FILE* to), to, (c, to))
LOCKED(wint_t, putwchar, (wchar_t c), stdout, (c))
LOCKED(int, fputws, (const wchar_t* text, FILE* to), to, (text, to))
LOCKED(wint_t, fgetwc, (FILE * from), from, (from))
LOCKED(wint_t, getwc, (FILE * from), from, (from))
LOCKED(wint_t, getwchar, (), stdin, ())
LOCKED(wchar_t*, fgetws, (wchar_t * to, int size, FILE* from), from, (to, size, from))
LOCKED(int, __vfprintf_chk, (FILE * to, int flag, const char* format, va_list values), to, (to, flag, format, values))
LOCKED(int, __vprintf_chk, (int flag, const char* format, va_list values), stdout, (flag, format, values))
LOCKED(char*, __fgets_chk, (char* to, size_t room, int size, FILE* from), from, (to, room, size, from))
LOCKED(size_t, __fread_chk, (void* to, size_t room, size_t size, size_t count, FILE* from), from,
       (to, room, size, count, from))

#define VARIADIC(name, parameters, last, ...) \
  int name parameters {                       \
    va_list values;                           \
    va_start(values, last);                   \
    const int result = __VA_ARGS__;           \
    va_end(values);                           \
    return result;                            \
  }
VARIADIC(fprintf, (FILE * to, const char* format, ...), format, vfprintf(to, format, values))
VARIADIC(printf, (const char* format, ...), format, vprintf(format, values))
VARIADIC(__fprintf_chk, (FILE * to, int flag, const char* format, ...), format,
         __vfprintf_chk(to, flag, format, values))
VARIADIC(__printf_chk, (int flag, const char* format, ...), format, __vprintf_chk(flag, format, values))

// Which of these names a program calls depends on its language's version.
MODEL(int, vfscanf, (FILE*, const char*, va_list));
static int scan_locked(FILE* from, const char* format, va_list places) {
  return locked(from, [&] { return model_vfscanf(from, format, places); });
}
#define SCANS(prefix, symbol)                                                                                       \
  int prefix##vfscanf(FILE*, const char*, va_list) __asm__(symbol "vfscanf");                                       \
  int prefix##vfscanf(FILE* from, const char* format, va_list places) { return scan_locked(from, format, places); } \
  int prefix##vscanf(const char*, va_list) __asm__(symbol "vscanf");                                                \
  int prefix##vscanf(const char* format, va_list places) { return scan_locked(stdin, format, places); }             \
  int prefix##fscanf(FILE*, const char*, ...) __asm__(symbol "fscanf");                                             \
  VARIADIC(prefix##fscanf, (FILE * from, const char* format, ...), format, scan_locked(from, format, values))       \
  int prefix##scanf(const char*, ...) __asm__(symbol "scanf");                                                      \
  VARIADIC(prefix##scanf, (const char* format, ...), format, scan_locked(stdin, format, values))
SCANS(plain_, "")
SCANS(c99_, "__isoc99_")
SCANS(c23_, "__isoc23_")

MODEL(int, fflush, (FILE*));
int fflush(FILE* stream) {
  if (stream == nullptr) return model_fflush(stream);
  return locked(stream, [&] { return model_fflush(stream); });
}
MODEL(void, rewind, (FILE*));
void rewind(FILE* stream) {
  locked(stream, [&] { return model_rewind(stream), 0; });
}
MODEL(void, clearerr, (FILE*));
void clearerr(FILE* stream) {
  locked(stream, [&] { return model_clearerr(stream), 0; });
}
MODEL(void, perror, (const char*));
void perror(const char* text) {
  locked(stderr, [&] { return model_perror(text), 0; });
}
// The lock is another stream's when the descriptor is free: it is given back first.
MODEL(int, fclose, (FILE*));
int fclose(FILE* stream) {
  locked(stream, [] { return 0; });
  return model_fclose(stream);
}

}  // extern "C"
