// Wide characters: the facets of the "C" locale for wchar_t, wide files and the wide standard streams. What is the same
// for both types of characters is in stream_templates.cc, after this file.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // the templates are generated here
#include <cwchar>
#include <cwctype>
#include <ext/stdio_sync_filebuf.h>
#include <fstream>
#include <iomanip>
#include <ios>
#include <istream>
#include <locale>
#include <new>
#include <ostream>
#include <sstream>
#include <string>

namespace std {

// ---- ctype<wchar_t>: ASCII, as the "C" locale has it

locale::id ctype<wchar_t>::id;

static ctype_base::mask wide_mask(wchar_t c) {
  return static_cast<unsigned>(c) < 128 ? ctype<char>::classic_table()[static_cast<unsigned>(c)] : ctype_base::mask();
}

ctype<wchar_t>::ctype(size_t references)
    : __ctype_abstract_base<wchar_t>(references), _M_c_locale_ctype(nullptr), _M_narrow_ok(false) {
  _M_initialize_ctype();
}
ctype<wchar_t>::ctype(__c_locale, size_t references) : ctype(references) {}
ctype<wchar_t>::~ctype() {}
void ctype<wchar_t>::_M_initialize_ctype() throw() {
  for (int n = 0; n < 128; ++n) _M_narrow[n] = static_cast<char>(n);
  for (size_t n = 0; n < sizeof _M_widen / sizeof _M_widen[0]; ++n) _M_widen[n] = static_cast<wint_t>(n);
  _M_narrow_ok = true;
}
ctype<wchar_t>::__wmask_type ctype<wchar_t>::_M_convert_to_wmask(const mask m) const throw() { return m; }
bool ctype<wchar_t>::do_is(mask m, char_type c) const { return (wide_mask(c) & m) != 0; }
const wchar_t* ctype<wchar_t>::do_is(const char_type* from, const char_type* end, mask* to) const {
  for (; from < end; ++from) *to++ = wide_mask(*from);
  return end;
}
const wchar_t* ctype<wchar_t>::do_scan_is(mask m, const char_type* from, const char_type* end) const {
  while (from < end && !(wide_mask(*from) & m)) ++from;
  return from;
}
const wchar_t* ctype<wchar_t>::do_scan_not(mask m, const char_type* from, const char_type* end) const {
  while (from < end && (wide_mask(*from) & m)) ++from;
  return from;
}
wchar_t ctype<wchar_t>::do_toupper(char_type c) const { return c >= L'a' && c <= L'z' ? c - 32 : c; }
wchar_t ctype<wchar_t>::do_tolower(char_type c) const { return c >= L'A' && c <= L'Z' ? c + 32 : c; }
const wchar_t* ctype<wchar_t>::do_toupper(char_type* from, const char_type* end) const {
  for (; from < end; ++from) *from = ctype<wchar_t>::do_toupper(*from);
  return end;
}
const wchar_t* ctype<wchar_t>::do_tolower(char_type* from, const char_type* end) const {
  for (; from < end; ++from) *from = ctype<wchar_t>::do_tolower(*from);
  return end;
}
wchar_t ctype<wchar_t>::do_widen(char c) const { return static_cast<unsigned char>(c); }
const char* ctype<wchar_t>::do_widen(const char* from, const char* end, char_type* to) const {
  for (; from < end; ++from) *to++ = static_cast<unsigned char>(*from);
  return end;
}
char ctype<wchar_t>::do_narrow(char_type c, char otherwise) const {
  return static_cast<unsigned>(c) < 128 ? static_cast<char>(c) : otherwise;
}
const wchar_t* ctype<wchar_t>::do_narrow(const char_type* from, const char_type* end, char otherwise, char* to) const {
  for (; from < end; ++from) *to++ = ctype<wchar_t>::do_narrow(*from, otherwise);
  return end;
}

// ---- codecvt<wchar_t, char>: a character, a byte

using Convert = codecvt<wchar_t, char, mbstate_t>;
locale::id Convert::id;
Convert::codecvt(size_t references)
    : __codecvt_abstract_base<wchar_t, char, mbstate_t>(references), _M_c_locale_codecvt(nullptr) {}
Convert::codecvt(__c_locale, size_t references) : codecvt(references) {}
Convert::~codecvt() {}
template <typename From, typename To>
static codecvt_base::result convert_ascii(const From* from, const From* from_end, const From*& from_next, To* to,
                                          To* to_end, To*& to_next) {
  codecvt_base::result result = codecvt_base::ok;
  for (; from < from_end && result == codecvt_base::ok; ++from) {
    if (static_cast<make_unsigned_t<conditional_t<is_same_v<From, char>, char, int>>>(*from) > 127)
      result = codecvt_base::error;
    else if (to == to_end)
      result = codecvt_base::partial;
    else
      *to++ = static_cast<To>(*from);
    if (result != codecvt_base::ok) break;
  }
  from_next = from;
  to_next = to;
  return result;
}
codecvt_base::result Convert::do_out(state_type&, const wchar_t* from, const wchar_t* from_end,
                                     const wchar_t*& from_next, char* to, char* to_end, char*& to_next) const {
  return convert_ascii(from, from_end, from_next, to, to_end, to_next);
}
codecvt_base::result Convert::do_in(state_type&, const char* from, const char* from_end, const char*& from_next,
                                    wchar_t* to, wchar_t* to_end, wchar_t*& to_next) const {
  return convert_ascii(from, from_end, from_next, to, to_end, to_next);
}
codecvt_base::result Convert::do_unshift(state_type&, char* to, char*, char*& to_next) const {
  to_next = to;
  return noconv;
}
int Convert::do_encoding() const throw() { return 1; }
bool Convert::do_always_noconv() const throw() { return false; }
int Convert::do_length(state_type&, const char* from, const char* end, size_t most) const {
  return static_cast<int>(min(most, static_cast<size_t>(end - from)));
}
int Convert::do_max_length() const throw() { return 1; }

// ---- numbers, collation, time

template <>
void numpunct<wchar_t>::_M_initialize_numpunct(__c_locale) {
  if (!_M_data) _M_data = new __numpunct_cache<wchar_t>;
  _M_data->_M_grouping = "";
  _M_data->_M_grouping_size = 0;
  _M_data->_M_use_grouping = false;
  _M_data->_M_decimal_point = L'.';
  _M_data->_M_thousands_sep = L',';
  for (size_t n = 0; n < __num_base::_S_oend; ++n)
    _M_data->_M_atoms_out[n] = static_cast<wchar_t>(__num_base::_S_atoms_out[n]);
  for (size_t n = 0; n < __num_base::_S_iend; ++n)
    _M_data->_M_atoms_in[n] = static_cast<wchar_t>(__num_base::_S_atoms_in[n]);
  _M_data->_M_truename = L"true";
  _M_data->_M_truename_size = 4;
  _M_data->_M_falsename = L"false";
  _M_data->_M_falsename_size = 5;
}
template <>
numpunct<wchar_t>::~numpunct() {
  delete _M_data;
}
template <>
int collate<wchar_t>::_M_compare(const wchar_t* a, const wchar_t* b) const throw() {
  const int order = wcscmp(a, b);
  return order < 0 ? -1 : order > 0;
}
template <>
size_t collate<wchar_t>::_M_transform(wchar_t* to, const wchar_t* from, size_t size) const throw() {
  const size_t length = wcslen(from);
  if (size) char_traits<wchar_t>::copy(to, from, min(length + 1, size));
  return length;
}
template <>
__timepunct<wchar_t>::__timepunct(size_t references)
    : facet(references), _M_data(nullptr), _M_c_locale_timepunct(nullptr), _M_name_timepunct("C") {}
template <>
__timepunct<wchar_t>::~__timepunct() {}
template <>
void __timepunct<wchar_t>::_M_put(wchar_t* to, size_t size, const wchar_t* format, const tm* time) const throw() {
  char bytes[256], pattern[64];
  size_t n = 0;
  for (; format[n] && n < sizeof pattern - 1; ++n) pattern[n] = static_cast<char>(format[n]);
  pattern[n] = 0;
  const size_t length = min(strftime(bytes, sizeof bytes, pattern, time), size - 1);
  for (n = 0; n < length; ++n) to[n] = static_cast<unsigned char>(bytes[n]);
  to[length] = 0;
}

template class numpunct<wchar_t>;
template class num_get<wchar_t>;
template class num_put<wchar_t>;
template class collate<wchar_t>;
template class time_put<wchar_t>;
template const ctype<wchar_t>& use_facet<ctype<wchar_t>>(const locale&);
template const numpunct<wchar_t>& use_facet<numpunct<wchar_t>>(const locale&);
template const num_put<wchar_t>& use_facet<num_put<wchar_t>>(const locale&);
template const num_get<wchar_t>& use_facet<num_get<wchar_t>>(const locale&);
template const collate<wchar_t>& use_facet<collate<wchar_t>>(const locale&);
template const time_put<wchar_t>& use_facet<time_put<wchar_t>>(const locale&);
template const __timepunct<wchar_t>& use_facet<__timepunct<wchar_t>>(const locale&);
template const Convert& use_facet<Convert>(const locale&);
template bool has_facet<ctype<wchar_t>>(const locale&);
template bool has_facet<numpunct<wchar_t>>(const locale&);
template bool has_facet<num_put<wchar_t>>(const locale&);
template bool has_facet<num_get<wchar_t>>(const locale&);
template bool has_facet<collate<wchar_t>>(const locale&);
template bool has_facet<time_put<wchar_t>>(const locale&);
template bool has_facet<Convert>(const locale&);

template class basic_filebuf<wchar_t>;
template class basic_ofstream<wchar_t>;
template class basic_ifstream<wchar_t>;
template class basic_fstream<wchar_t>;

// ---- before main, after the facets for char (locale.cc)

template <typename Object>
alignas(Object) static char heddle_wide_place[sizeof(Object)];

// A member of locale::_Impl, which is private.
extern "C" void heddle_install_facet(void* to, const locale::id* id, const locale::facet* made) __asm__(
    "_ZNSt6locale5_Impl16_M_install_facetEPKNS_2idEPKNS_5facetE");

template <typename Facet>
static void install() {
  const locale& classic = locale::classic();
  heddle_install_facet(*reinterpret_cast<void* const*>(&classic), &Facet::id,
                       ::new (heddle_wide_place<Facet>) Facet(1));
}

// As those of bytes, in streams.cc.
alignas(wistream) char heddle_wcin[sizeof(wistream)] __asm__("_ZSt4wcin");
alignas(wostream) char heddle_wcout[sizeof(wostream)] __asm__("_ZSt5wcout");
alignas(wostream) char heddle_wcerr[sizeof(wostream)] __asm__("_ZSt5wcerr");
alignas(wostream) char heddle_wclog[sizeof(wostream)] __asm__("_ZSt5wclog");

__attribute__((constructor(102))) static void heddle_prepare_wide_streams() {
  install<std::ctype<wchar_t>>();
  install<numpunct<wchar_t>>();
  install<num_get<wchar_t>>();
  install<num_put<wchar_t>>();
  install<std::collate<wchar_t>>();
  install<time_put<wchar_t>>();
  install<__timepunct<wchar_t>>();
  install<Convert>();
  using StdioBuffer = __gnu_cxx::stdio_sync_filebuf<wchar_t>;
  alignas(StdioBuffer) static char in_buffer[sizeof(StdioBuffer)], out_buffer[sizeof(StdioBuffer)],
      error_buffer[sizeof(StdioBuffer)];
  wostream* const out = ::new (heddle_wcout) wostream(::new (out_buffer) StdioBuffer(stdout));
  wistream* const in = ::new (heddle_wcin) wistream(::new (in_buffer) StdioBuffer(stdin));
  StdioBuffer* const errors = ::new (error_buffer) StdioBuffer(stderr);
  wostream* const error = ::new (heddle_wcerr) wostream(errors);
  ::new (heddle_wclog) wostream(errors);
  in->tie(out);
  error->setf(ios_base::unitbuf);
  error->tie(out);
}

}  // namespace std

#define HEDDLE_CHAR wchar_t
