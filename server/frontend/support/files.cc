// File streams over file descriptors.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace std {

// The library keeps a FILE there; of ours only the descriptor counts, kept as its number plus one.
static int descriptor_of(const __c_file* file) { return static_cast<int>(reinterpret_cast<intptr_t>(file)) - 1; }
static __c_file* file_of(int descriptor) { return reinterpret_cast<__c_file*>(intptr_t{descriptor} + 1); }

static int open_flags(ios_base::openmode mode) {
  const ios_base::openmode in = ios_base::in, out = ios_base::out, trunc = ios_base::trunc, app = ios_base::app;
  const ios_base::openmode asked = mode & (in | out | trunc | app);
  if (asked == out || asked == (out | trunc)) return O_WRONLY | O_CREAT | O_TRUNC;
  if (asked == app || asked == (out | app)) return O_WRONLY | O_CREAT | O_APPEND;
  if (asked == in) return O_RDONLY;
  if (asked == (in | out)) return O_RDWR;
  if (asked == (in | out | trunc)) return O_RDWR | O_CREAT | O_TRUNC;
  if (asked == (in | app) || asked == (in | out | app)) return O_RDWR | O_CREAT | O_APPEND;
  return -1;
}

__basic_file<char>::__basic_file(__c_lock*) throw() : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() { close(); }

__basic_file<char>* __basic_file<char>::open(const char* name, ios_base::openmode mode, int protection) {
  const int flags = open_flags(mode);
  if (flags < 0 || is_open()) return nullptr;
  const int descriptor = ::open(name, flags, protection);
  if (descriptor < 0) return nullptr;
  _M_cfile = file_of(descriptor);
  _M_cfile_created = true;
  return this;
}
__basic_file<char>* __basic_file<char>::close() {
  if (!is_open()) return nullptr;
  const int status = _M_cfile_created ? ::close(fd()) : 0;
  _M_cfile = nullptr;
  return status ? nullptr : this;
}
bool __basic_file<char>::is_open() const throw() { return _M_cfile != nullptr; }
int __basic_file<char>::fd() throw() { return descriptor_of(_M_cfile); }

streamsize __basic_file<char>::xsputn(const char* from, streamsize size) {
  streamsize left = size;
  while (left > 0) {
    const ssize_t written = ::write(fd(), from, static_cast<size_t>(left));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    from += written;
    left -= written;
  }
  return size - left;
}
streamsize __basic_file<char>::xsputn_2(const char* first, streamsize first_size, const char* second,
                                        streamsize second_size) {
  const streamsize written = xsputn(first, first_size);
  return written < first_size ? written : written + xsputn(second, second_size);
}
streamsize __basic_file<char>::xsgetn(char* to, streamsize size) {
  ssize_t got;
  do got = ::read(fd(), to, static_cast<size_t>(size));
  while (got < 0 && errno == EINTR);
  return got;
}
streamoff __basic_file<char>::seekoff(streamoff offset, ios_base::seekdir from) throw() {
  return ::lseek(fd(), offset, from == ios_base::beg ? SEEK_SET : from == ios_base::cur ? SEEK_CUR : SEEK_END);
}
int __basic_file<char>::sync() { return 0; }
streamsize __basic_file<char>::showmanyc() {
  const off_t here = ::lseek(fd(), 0, SEEK_CUR), end = ::lseek(fd(), 0, SEEK_END);
  if (here < 0 || end < 0) return 0;
  ::lseek(fd(), here, SEEK_SET);
  return end - here;
}

template class basic_filebuf<char>;
template class basic_ofstream<char>;
template class basic_ifstream<char>;
template class basic_fstream<char>;

}  // namespace std
