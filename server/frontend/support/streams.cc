// Streams: ios_base, the standard streams over stdio, the members that the headers specialise for char, and the
// templates themselves.
#include <ext/stdio_sync_filebuf.h>

#include <complex>
#include <cstdio>
#include <iomanip>
#include <ios>
#include <istream>
#include <limits>
#include <new>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <system_error>

namespace std {

// ---- ios_base

ios_base::ios_base() throw()
    : _M_precision(),
      _M_width(),
      _M_flags(),
      _M_exception(),
      _M_streambuf_state(),
      _M_callbacks(nullptr),
      _M_word_zero(),
      _M_word_size(_S_local_word_size),
      _M_word(_M_local_word),
      _M_ios_locale() {}
ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word) delete[] _M_word;
}
void ios_base::_M_init() throw() {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}
locale ios_base::imbue(const locale& wanted) throw() {
  locale old = _M_ios_locale;
  _M_ios_locale = wanted;
  _M_call_callbacks(imbue_event);
  return old;
}
void ios_base::register_callback(event_callback call, int index) {
  _M_callbacks = new _Callback_list(call, index, _M_callbacks);
}
void ios_base::_M_call_callbacks(event what) throw() {
  for (_Callback_list* at = _M_callbacks; at; at = at->_M_next) {
    try {
      at->_M_fn(what, *this, at->_M_index);
    } catch (...) {}
  }
}
void ios_base::_M_dispose_callbacks() throw() {
  _Callback_list* at = _M_callbacks;
  while (at && at->_M_remove_reference() == 0) {
    _Callback_list* const next = at->_M_next;
    delete at;
    at = next;
  }
  _M_callbacks = nullptr;
}
int ios_base::xalloc() throw() {
  static _Atomic_word last = 0;
  return __gnu_cxx::__exchange_and_add(&last, 1) + 4;
}
ios_base::_Words& ios_base::_M_grow_words(int index, bool) {
  if (index < 0 || index == numeric_limits<int>::max()) {
    _M_streambuf_state |= badbit;
    if (_M_streambuf_state & _M_exception) __throw_ios_failure("ios_base::_M_grow_words is not valid");
    _M_word_zero = _Words();
    return _M_word_zero;
  }
  _Words* const words = new _Words[static_cast<size_t>(index) + 1];
  for (int n = 0; n < _M_word_size; ++n) words[n] = _M_word[n];
  if (_M_word != _M_local_word) delete[] _M_word;
  _M_word = words;
  _M_word_size = index + 1;
  return _M_word[index];
}
void ios_base::_M_move(ios_base& other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
  _M_callbacks = std::__exchange(other._M_callbacks, nullptr);
  if (_M_word != _M_local_word) delete[] _M_word;
  if (other._M_word == other._M_local_word) {
    _M_word = _M_local_word;
    _M_word_size = _S_local_word_size;
    for (int n = 0; n < _S_local_word_size; ++n) _M_word[n] = std::__exchange(other._M_word[n], {});
  } else {
    _M_word = std::__exchange(other._M_word, other._M_local_word);
    _M_word_size = std::__exchange(other._M_word_size, _S_local_word_size);
  }
  _M_ios_locale = other._M_ios_locale;
}
void ios_base::_M_swap(ios_base& other) noexcept {
  std::swap(_M_precision, other._M_precision);
  std::swap(_M_width, other._M_width);
  std::swap(_M_flags, other._M_flags);
  std::swap(_M_exception, other._M_exception);
  std::swap(_M_streambuf_state, other._M_streambuf_state);
  std::swap(_M_callbacks, other._M_callbacks);
  const bool mine_local = _M_word == _M_local_word, other_local = other._M_word == other._M_local_word;
  for (int n = 0; n < _S_local_word_size; ++n) std::swap(_M_local_word[n], other._M_local_word[n]);
  std::swap(_M_word, other._M_word);
  std::swap(_M_word_size, other._M_word_size);
  if (other_local) _M_word = _M_local_word;
  if (mine_local) other._M_word = other._M_local_word;
  std::swap(_M_ios_locale, other._M_ios_locale);
}

namespace {
struct iostream_error_category final : error_category {
  const char* name() const noexcept override { return "iostream"; }
  string message(int value) const override {
    return value == static_cast<int>(io_errc::stream) ? "iostream error" : "Unknown error";
  }
};
struct Eternal {
  union {
    iostream_error_category category;
  };
  constexpr Eternal() : category() {}
  ~Eternal() {}
};
constinit Eternal iostream_instance;
}  // namespace
const error_category& iostream_category() noexcept { return iostream_instance.category; }

ios_base::failure::failure(const string& text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string& text, const error_code& code) : system_error(code, text) {}
ios_base::failure::failure(const char* text, const error_code& code) : system_error(code, text) {}
ios_base::failure::~failure() throw() {}
const char* ios_base::failure::what() const throw() { return system_error::what(); }
void __throw_ios_failure(const char* text) { throw ios_base::failure(text); }
void __throw_ios_failure(const char* text, int error) {
  throw ios_base::failure(text, error ? error_code(error, system_category()) : make_error_code(io_errc::stream));
}

// ---- the standard streams, and what only streams of bytes have

template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);

// <iostream> declares these four with their types; here they are memory that ios_base::Init fills, so that nothing
// destroys them. Their buffers call stdio, which keeps the order with printf and of threads.
alignas(istream) char heddle_cin[sizeof(istream)] __asm__("_ZSt3cin");
alignas(ostream) char heddle_cout[sizeof(ostream)] __asm__("_ZSt4cout");
alignas(ostream) char heddle_cerr[sizeof(ostream)] __asm__("_ZSt4cerr");
alignas(ostream) char heddle_clog[sizeof(ostream)] __asm__("_ZSt4clog");

namespace {
using StdioBuffer = __gnu_cxx::stdio_sync_filebuf<char>;
alignas(StdioBuffer) char in_buffer[sizeof(StdioBuffer)];
alignas(StdioBuffer) char out_buffer[sizeof(StdioBuffer)];
alignas(StdioBuffer) char error_buffer[sizeof(StdioBuffer)];
}  // namespace

_Atomic_word ios_base::Init::_S_refcount;
bool ios_base::Init::_S_synced_with_stdio = true;

ios_base::Init::Init() {
  if (__gnu_cxx::__exchange_and_add(&_S_refcount, 1) != 0) return;
  ostream* const out = ::new (heddle_cout) ostream(::new (out_buffer) StdioBuffer(stdout));
  istream* const in = ::new (heddle_cin) istream(::new (in_buffer) StdioBuffer(stdin));
  StdioBuffer* const errors = ::new (error_buffer) StdioBuffer(stderr);
  ostream* const error = ::new (heddle_cerr) ostream(errors);
  ::new (heddle_clog) ostream(errors);
  in->tie(out);
  error->setf(ios_base::unitbuf);
  error->tie(out);
}
ios_base::Init::~Init() {
  if (__gnu_cxx::__exchange_and_add(&_S_refcount, -1) != 1) return;
  try {
    reinterpret_cast<ostream*>(heddle_cout)->flush();
  } catch (...) {}
}

// What the threads of a process share that use a standard stream out of step with stdio: its buffer, which no lock
// guards ([iostream.objects.overview]). Named as users should read it.
static unsigned char cin_buffer_out_of_step, cout_buffer_out_of_step, cerr_buffer_out_of_step;

namespace {
// Still calls stdio at once, so that a program's output keeps its order.
class OwnBuffer final : public StdioBuffer {
 public:
  OwnBuffer(FILE* file, unsigned char& shared) : StdioBuffer(file), shared_(shared) {}

 private:
  void use() { shared_ = 1; }
  int sync() override {
    use();
    return StdioBuffer::sync();
  }
  int_type overflow(int_type c) override {
    use();
    return StdioBuffer::overflow(c);
  }
  streamsize xsputn(const char* text, streamsize size) override {
    use();
    return StdioBuffer::xsputn(text, size);
  }
  int_type underflow() override {
    use();
    return StdioBuffer::underflow();
  }
  int_type uflow() override {
    use();
    return StdioBuffer::uflow();
  }
  int_type pbackfail(int_type c) override {
    use();
    return StdioBuffer::pbackfail(c);
  }
  streamsize xsgetn(char* to, streamsize size) override {
    use();
    return StdioBuffer::xsgetn(to, size);
  }

  unsigned char& shared_;
};
alignas(OwnBuffer) char own_in[sizeof(OwnBuffer)];
alignas(OwnBuffer) char own_out[sizeof(OwnBuffer)];
alignas(OwnBuffer) char own_errors[sizeof(OwnBuffer)];
}  // namespace

bool ios_base::sync_with_stdio(bool wanted) {
  const bool old = Init::_S_synced_with_stdio;
  if (wanted || !old) return old;  // there is no way back
  Init streams;
  Init::_S_synced_with_stdio = false;
  reinterpret_cast<istream*>(heddle_cin)->rdbuf(::new (own_in) OwnBuffer(stdin, cin_buffer_out_of_step));
  reinterpret_cast<ostream*>(heddle_cout)->rdbuf(::new (own_out) OwnBuffer(stdout, cout_buffer_out_of_step));
  OwnBuffer* const errors = ::new (own_errors) OwnBuffer(stderr, cerr_buffer_out_of_step);
  reinterpret_cast<ostream*>(heddle_cerr)->rdbuf(errors);
  reinterpret_cast<ostream*>(heddle_clog)->rdbuf(errors);
  return old;
}

}  // namespace std

#define HEDDLE_CHAR char
