// Functions of the C library that the threads of a process must not call at the same time, since they share something
// that no argument names (MT-Unsafe race:... in the C library's manual). The machine models what they do; what they
// share is touched here, so that such calls race as they do there.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cuchar>
#include <cwchar>

#include <search.h>
#include <unistd.h>

// A variable each, named as users should read it. What they say is the machine's.
static unsigned char hsearch_state, mblen_state, mbtowc_state, wctomb_state, mbrlen_state, mbrtowc_state, wcrtomb_state,
    mbsrtowcs_state, mbsnrtowcs_state, wcsrtombs_state, wcsnrtombs_state, mbrtoc16_state, mbrtoc32_state,
    c16rtomb_state, c32rtomb_state, tmpnam_name;
static lconv localeconv_result;
static hsearch_data hsearch_table;

// Streams by their descriptors. One without has nothing here.
static constexpr int kStreams = 64;
static unsigned char unlocked_stream[kStreams];

extern "C" {

// Of a function that takes no lock, and, where there is one in the program, of each that does (stream_locks.cc).
void heddle_use_of_stream(FILE* stream) {
  const int number = fileno(stream);
  if (number >= 0 && number < kStreams) unlocked_stream[number] = 1;
}
static void use(FILE* stream) { heddle_use_of_stream(stream); }

// Declares the machine's model of a function under another name.
#define MODEL(result, name, parameters) result model_##name parameters __asm__("heddle." #name)

int hcreate(size_t count) {
  hsearch_state = 1;
  return hcreate_r(count, &hsearch_table);
}
ENTRY* hsearch(ENTRY item, ACTION action) {
  if (action == ENTER) hsearch_state = 1;
  [[maybe_unused]] const unsigned char seen = hsearch_state;
  ENTRY* found = nullptr;
  hsearch_r(item, action, &found, &hsearch_table);
  return found;
}
void hdestroy() {
  hsearch_state = 1;
  hdestroy_r(&hsearch_table);
}

MODEL(int, fputc, (int, FILE*));
MODEL(int, fgetc, (FILE*));
MODEL(int, fputs, (const char*, FILE*));
MODEL(char*, fgets, (char*, int, FILE*));
MODEL(size_t, fread, (void*, size_t, size_t, FILE*));
MODEL(size_t, fwrite, (const void*, size_t, size_t, FILE*));
MODEL(int, fflush, (FILE*));
MODEL(int, __overflow, (FILE*, int));
MODEL(int, __uflow, (FILE*));
MODEL(char*, __fgets_unlocked_chk, (char*, size_t, int, FILE*));
MODEL(size_t, __fread_unlocked_chk, (void*, size_t, size_t, size_t, FILE*));
int fputc_unlocked(int c, FILE* stream) {
  use(stream);
  return model_fputc(c, stream);
}
int putc_unlocked(int c, FILE* stream) { return fputc_unlocked(c, stream); }
int putchar_unlocked(int c) { return fputc_unlocked(c, stdout); }
int fgetc_unlocked(FILE* stream) {
  use(stream);
  return model_fgetc(stream);
}
int getc_unlocked(FILE* stream) { return fgetc_unlocked(stream); }
int getchar_unlocked() { return fgetc_unlocked(stdin); }
int __overflow(FILE* stream, int c) {  // what the header's inline putc_unlocked and getc_unlocked call
  use(stream);
  return model___overflow(stream, c);
}
int __uflow(FILE* stream) {
  use(stream);
  return model___uflow(stream);
}
int fputs_unlocked(const char* text, FILE* stream) {
  use(stream);
  return model_fputs(text, stream);
}
char* fgets_unlocked(char* to, int size, FILE* stream) {
  use(stream);
  return model_fgets(to, size, stream);
}
char* __fgets_unlocked_chk(char* to, size_t room, int size, FILE* stream) {
  use(stream);
  return model___fgets_unlocked_chk(to, room, size, stream);
}
size_t fread_unlocked(void* to, size_t size, size_t count, FILE* stream) {
  use(stream);
  return model_fread(to, size, count, stream);
}
size_t __fread_unlocked_chk(void* to, size_t room, size_t size, size_t count, FILE* stream) {
  use(stream);
  return model___fread_unlocked_chk(to, room, size, count, stream);
}
size_t fwrite_unlocked(const void* from, size_t size, size_t count, FILE* stream) {
  use(stream);
  return model_fwrite(from, size, count, stream);
}
int fflush_unlocked(FILE* stream) {
  if (stream != nullptr) use(stream);
  return model_fflush(stream);
}

MODEL(wint_t, fputwc, (wchar_t, FILE*));
MODEL(wint_t, fgetwc, (FILE*));
MODEL(int, fputws, (const wchar_t*, FILE*));
MODEL(wchar_t*, fgetws, (wchar_t*, int, FILE*));
wint_t fputwc_unlocked(wchar_t c, FILE* stream) {
  use(stream);
  return model_fputwc(c, stream);
}
wint_t putwc_unlocked(wchar_t c, FILE* stream) { return fputwc_unlocked(c, stream); }
wint_t putwchar_unlocked(wchar_t c) { return fputwc_unlocked(c, stdout); }
wint_t fgetwc_unlocked(FILE* stream) {
  use(stream);
  return model_fgetwc(stream);
}
wint_t getwc_unlocked(FILE* stream) { return fgetwc_unlocked(stream); }
wint_t getwchar_unlocked() { return fgetwc_unlocked(stdin); }
int fputws_unlocked(const wchar_t* text, FILE* stream) {
  use(stream);
  return model_fputws(text, stream);
}
wchar_t* fgetws_unlocked(wchar_t* to, int size, FILE* stream) {
  use(stream);
  return model_fgetws(to, size, stream);
}

MODEL(int, mblen, (const char*, size_t));
MODEL(int, mbtowc, (wchar_t*, const char*, size_t));
MODEL(int, wctomb, (char*, wchar_t));
int mblen(const char* text, size_t size) {
  mblen_state = 1;
  return model_mblen(text, size);
}
int mbtowc(wchar_t* to, const char* text, size_t size) {
  mbtowc_state = 1;
  return model_mbtowc(to, text, size);
}
int wctomb(char* to, wchar_t c) {
  wctomb_state = 1;
  return model_wctomb(to, c);
}

// Of one character at a time: there are only those of ASCII. With a state of the caller's they share nothing.
size_t mbrtoc32(char32_t* to, const char* text, size_t size, mbstate_t* state) {
  if (state == nullptr) mbrtoc32_state = 1;
  mbstate_t own{};
  wchar_t c = 0;
  const size_t taken = mbrtowc(&c, text, size, state ? state : &own);
  if (to != nullptr && text != nullptr && taken <= size) *to = static_cast<char32_t>(c);
  return taken;
}
size_t mbrtoc16(char16_t* to, const char* text, size_t size, mbstate_t* state) {
  if (state == nullptr) mbrtoc16_state = 1;
  mbstate_t own{};
  char32_t c = 0;
  const size_t taken = mbrtoc32(&c, text, size, state ? state : &own);
  if (to != nullptr && text != nullptr && taken <= size) *to = static_cast<char16_t>(c);
  return taken;
}
size_t c32rtomb(char* to, char32_t c, mbstate_t* state) {
  if (state == nullptr) c32rtomb_state = 1;
  mbstate_t own{};
  return wcrtomb(to, static_cast<wchar_t>(c), state ? state : &own);
}
size_t c16rtomb(char* to, char16_t c, mbstate_t* state) {
  if (state == nullptr) c16rtomb_state = 1;
  mbstate_t own{};
  return wcrtomb(to, static_cast<wchar_t>(c), state ? state : &own);
}

// With a state of the caller's they share nothing.
MODEL(size_t, mbrlen, (const char*, size_t, mbstate_t*));
MODEL(size_t, mbrtowc, (wchar_t*, const char*, size_t, mbstate_t*));
MODEL(size_t, wcrtomb, (char*, wchar_t, mbstate_t*));
MODEL(size_t, mbsrtowcs, (wchar_t*, const char**, size_t, mbstate_t*));
MODEL(size_t, mbsnrtowcs, (wchar_t*, const char**, size_t, size_t, mbstate_t*));
MODEL(size_t, wcsrtombs, (char*, const wchar_t**, size_t, mbstate_t*));
MODEL(size_t, wcsnrtombs, (char*, const wchar_t**, size_t, size_t, mbstate_t*));
size_t mbrlen(const char* text, size_t size, mbstate_t* state) {
  if (state == nullptr) mbrlen_state = 1;
  return model_mbrlen(text, size, state);
}
size_t mbrtowc(wchar_t* to, const char* text, size_t size, mbstate_t* state) {
  if (state == nullptr) mbrtowc_state = 1;
  return model_mbrtowc(to, text, size, state);
}
size_t wcrtomb(char* to, wchar_t c, mbstate_t* state) {
  if (state == nullptr) wcrtomb_state = 1;
  return model_wcrtomb(to, c, state);
}
size_t mbsrtowcs(wchar_t* to, const char** from, size_t most, mbstate_t* state) {
  if (state == nullptr) mbsrtowcs_state = 1;
  return model_mbsrtowcs(to, from, most, state);
}
size_t mbsnrtowcs(wchar_t* to, const char** from, size_t size, size_t most, mbstate_t* state) {
  if (state == nullptr) mbsnrtowcs_state = 1;
  return model_mbsnrtowcs(to, from, size, most, state);
}
size_t wcsrtombs(char* to, const wchar_t** from, size_t most, mbstate_t* state) {
  if (state == nullptr) wcsrtombs_state = 1;
  return model_wcsrtombs(to, from, most, state);
}
size_t wcsnrtombs(char* to, const wchar_t** from, size_t size, size_t most, mbstate_t* state) {
  if (state == nullptr) wcsnrtombs_state = 1;
  return model_wcsnrtombs(to, from, size, most, state);
}

MODEL(lconv*, localeconv, ());
lconv* localeconv() {
  localeconv_result = *model_localeconv();
  return &localeconv_result;
}

MODEL(char*, tmpnam, (char*));
char* tmpnam(char* name) {
  if (name == nullptr) tmpnam_name = 1;
  return model_tmpnam(name);
}

#undef MODEL

}  // extern "C"
