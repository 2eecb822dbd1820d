// The stream templates for one type of characters, HEDDLE_CHAR: char after streams.cc, wchar_t after wide.cc.
#include <complex>
#include <iomanip>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

namespace std {

using Input = basic_istream<HEDDLE_CHAR>;
using Output = basic_ostream<HEDDLE_CHAR>;
using Buffer = basic_streambuf<HEDDLE_CHAR>;
using Text = basic_string<HEDDLE_CHAR>;
using Traits = char_traits<HEDDLE_CHAR>;

template class basic_streambuf<HEDDLE_CHAR>;
template class basic_ios<HEDDLE_CHAR>;
template class basic_ostream<HEDDLE_CHAR>;
template class basic_istream<HEDDLE_CHAR>;
template class basic_iostream<HEDDLE_CHAR>;
template class basic_stringbuf<HEDDLE_CHAR>;
template class basic_ostringstream<HEDDLE_CHAR>;
template class basic_istringstream<HEDDLE_CHAR>;
template class basic_stringstream<HEDDLE_CHAR>;
template Output& endl(Output&);
template Output& ends(Output&);
template Output& flush(Output&);
template Output& operator<<(Output&, HEDDLE_CHAR);
template Output& operator<<(Output&, const HEDDLE_CHAR*);
template Output& operator<<(Output&, const Text&);
template Output& Output::_M_insert(long);
template Output& Output::_M_insert(unsigned long);
template Output& Output::_M_insert(bool);
template Output& Output::_M_insert(long long);
template Output& Output::_M_insert(unsigned long long);
template Output& Output::_M_insert(double);
template Output& Output::_M_insert(long double);
template Output& Output::_M_insert(const void*);
template Output& __ostream_insert(Output&, const HEDDLE_CHAR*, streamsize);
template Output& operator<<(Output&, _Setfill<HEDDLE_CHAR>);
template Output& operator<<(Output&, _Setiosflags);
template Output& operator<<(Output&, _Resetiosflags);
template Output& operator<<(Output&, _Setbase);
template Output& operator<<(Output&, _Setprecision);
template Output& operator<<(Output&, _Setw);
template Input& operator>>(Input&, _Setfill<HEDDLE_CHAR>);
template Input& operator>>(Input&, _Setiosflags);
template Input& operator>>(Input&, _Resetiosflags);
template Input& operator>>(Input&, _Setbase);
template Input& operator>>(Input&, _Setprecision);
template Input& operator>>(Input&, _Setw);
template Input& ws(Input&);
template Input& operator>>(Input&, HEDDLE_CHAR&);
template Input& Input::_M_extract(unsigned short&);
template Input& Input::_M_extract(unsigned int&);
template Input& Input::_M_extract(long&);
template Input& Input::_M_extract(unsigned long&);
template Input& Input::_M_extract(bool&);
template Input& Input::_M_extract(long long&);
template Input& Input::_M_extract(unsigned long long&);
template Input& Input::_M_extract(float&);
template Input& Input::_M_extract(double&);
template Input& Input::_M_extract(long double&);
template Input& Input::_M_extract(void*&);
template Output& operator<<(Output&, const complex<float>&);
template Output& operator<<(Output&, const complex<double>&);
template Output& operator<<(Output&, const complex<long double>&);
template Input& operator>>(Input&, complex<float>&);
template Input& operator>>(Input&, complex<double>&);
template Input& operator>>(Input&, complex<long double>&);

// ---- members of basic_istream that the headers leave to the library

// Takes characters up to `limit` or as long as `take` says yes; the next one stays.
template <typename Take>
static ios_base::iostate scan(Input& stream, streamsize limit, streamsize& count, Take take) {
  Buffer* const buffer = stream.rdbuf();
  Traits::int_type c = buffer->sgetc();
  while (count < limit && !Traits::eq_int_type(c, Traits::eof()) && take(Traits::to_char_type(c))) {
    ++count;
    c = buffer->snextc();
  }
  return Traits::eq_int_type(c, Traits::eof()) ? ios_base::eofbit : ios_base::goodbit;
}

template <>
Input& Input::getline(HEDDLE_CHAR* to, streamsize size, HEDDLE_CHAR delimiter) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  HEDDLE_CHAR* at = to;
  const sentry ready(*this, true);
  if (ready) {
    try {
      state = scan(*this, size - 1, _M_gcount, [&](HEDDLE_CHAR c) {
        if (c == delimiter) return false;
        *at++ = c;
        return true;
      });
      if (!(state & ios_base::eofbit)) {
        if (rdbuf()->sgetc() == Traits::to_int_type(delimiter)) {
          ++_M_gcount;
          rdbuf()->sbumpc();
        } else {
          state |= ios_base::failbit;
        }
      }
    } catch (__cxxabiv1::__forced_unwind&) {
      _M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      _M_setstate(ios_base::badbit);
    }
  }
  if (size > 0) *at = 0;
  if (!_M_gcount) state |= ios_base::failbit;
  if (state) setstate(state);
  return *this;
}

template <>
Input& Input::ignore(streamsize most) {
  return ignore(most, Traits::eof());
}

template <>
Input& Input::ignore(streamsize most, int_type delimiter) {
  _M_gcount = 0;
  const sentry ready(*this, true);
  if (!ready || most <= 0) return *this;
  ios_base::iostate state = ios_base::goodbit;
  try {
    state = scan(*this, most, _M_gcount, [&](HEDDLE_CHAR c) { return Traits::to_int_type(c) != delimiter; });
    if (_M_gcount < most && !(state & ios_base::eofbit)) {
      ++_M_gcount;
      rdbuf()->sbumpc();
    } else if (_M_gcount == most) {
      state = ios_base::goodbit;  // it did not have to look further
    }
  } catch (__cxxabiv1::__forced_unwind&) {
    _M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    _M_setstate(ios_base::badbit);
  }
  if (state) setstate(state);
  return *this;
}

// A word: at most `most(width)` characters up to white space, each given to `take`. It fails if there is none.
template <typename Most, typename Take>
static void read_word(Input& stream, Most most, Take take) {
  streamsize count = 0;
  ios_base::iostate state = ios_base::goodbit;
  const Input::sentry ready(stream, false);
  if (ready) {
    try {
      const streamsize limit = most(stream.width());
      const ctype<HEDDLE_CHAR>& kinds = use_facet<ctype<HEDDLE_CHAR>>(stream.getloc());
      state = scan(stream, limit, count, [&](HEDDLE_CHAR c) {
        if (kinds.is(ctype_base::space, c)) return false;
        take(c);
        return true;
      });
      if (count == limit) state = ios_base::goodbit;
      stream.width(0);
    } catch (__cxxabiv1::__forced_unwind&) {
      stream._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      stream._M_setstate(ios_base::badbit);
    }
  }
  if (!count) state |= ios_base::failbit;
  if (state) stream.setstate(state);
}

template <>
Input& operator>>(Input& stream, Text& text) {
  read_word(
      stream,
      [&](streamsize width) {
        text.erase();
        return width > 0 ? width : numeric_limits<streamsize>::max();
      },
      [&](HEDDLE_CHAR c) { text += c; });
  return stream;
}

template <>
Input& getline(Input& stream, Text& text, HEDDLE_CHAR delimiter) {
  streamsize count = 0;
  ios_base::iostate state = ios_base::goodbit;
  const Input::sentry ready(stream, true);
  if (ready) {
    try {
      text.erase();
      state = scan(stream, static_cast<streamsize>(text.max_size()), count, [&](HEDDLE_CHAR c) {
        if (c == delimiter) return false;
        text += c;
        return true;
      });
      if (!(state & ios_base::eofbit)) {
        ++count;
        stream.rdbuf()->sbumpc();
      }
    } catch (__cxxabiv1::__forced_unwind&) {
      stream._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      stream._M_setstate(ios_base::badbit);
    }
  }
  if (!count) state |= ios_base::failbit;
  if (state) stream.setstate(state);
  return stream;
}

void __istream_extract(Input& stream, HEDDLE_CHAR* to, streamsize size) {
  read_word(
      stream,
      [&](streamsize width) {
        *to = 0;
        return (width > 0 && width < size ? width : size) - 1;
      },
      [&](HEDDLE_CHAR c) {
        *to = c;
        *++to = 0;
      });
}

template <>
streamsize __copy_streambufs_eof(Buffer* from, Buffer* to, bool& at_end) {
  streamsize count = 0;
  at_end = true;
  for (Traits::int_type c = from->sgetc(); !Traits::eq_int_type(c, Traits::eof()); c = from->snextc()) {
    if (to->sputc(Traits::to_char_type(c)) == Traits::eof()) {
      at_end = false;
      break;
    }
    ++count;
  }
  return count;
}

}  // namespace std
