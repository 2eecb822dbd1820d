// Formatted output to the descriptor of a pipe or a socket. With pipes.cc one text.
#include <cstdarg>
#include <cstdio>

extern "C" int file_vdprintf(int, const char*, va_list) __asm__("heddle.vdprintf");

namespace {

// Given back also by a thread that is cancelled while it writes.
struct Text {
  char* begin = nullptr;
  ~Text() { std::free(begin); }
};

int write_all(int number, const char* from, int size) {
  for (int done = 0; done < size;) {
    const ssize_t part = write(number, from + done, static_cast<size_t>(size - done));
    if (part < 0) return -1;
    done += static_cast<int>(part);
  }
  return size;
}

}  // namespace

extern "C" {

int vdprintf(int number, const char* format, va_list values) {
  if (pipe_at(number) == nullptr) return file_vdprintf(number, format, values);
  Text text;
  const int size = vasprintf(&text.begin, format, values);
  return size < 0 ? -1 : write_all(number, text.begin, size);
}
int __vdprintf_chk(int number, int, const char* format, va_list values) { return vdprintf(number, format, values); }

int dprintf(int number, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = vdprintf(number, format, values);
  va_end(values);
  return result;
}
int __dprintf_chk(int number, int, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = vdprintf(number, format, values);
  va_end(values);
  return result;
}

}  // extern "C"
