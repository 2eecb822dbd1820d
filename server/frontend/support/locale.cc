// Locales: the "C" locale with the facets that streams, regular expressions and file buffers use; others are copies of
// it with facets of the program's own.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // the templates are generated here
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iomanip>
#include <ios>
#include <locale>
#include <mutex>
#include <new>
#include <string>

namespace std {

// ---- locale::facet, locale::id

locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
const char* locale::facet::_S_get_c_name() throw() { return "C"; }
void locale::facet::_S_create_c_locale(__c_locale& made, const char*, __c_locale) { made = nullptr; }
__c_locale locale::facet::_S_clone_c_locale(__c_locale&) throw() { return nullptr; }
void locale::facet::_S_destroy_c_locale(__c_locale& gone) { gone = nullptr; }
__c_locale locale::facet::_S_lc_ctype_c_locale(__c_locale, const char*) { return nullptr; }

_Atomic_word locale::id::_S_refcount;
// Numbers are given out when a facet is first installed or looked for; those of the facets below before main.
size_t locale::id::_M_id() const throw() {
  if (!_M_index) _M_index = static_cast<size_t>(1 + __gnu_cxx::__exchange_and_add(&_S_refcount, 1));
  return _M_index - 1;
}

locale::id ctype<char>::id;
locale::id codecvt<char, char, mbstate_t>::id;

// ---- locale::_Impl and locale

static constexpr size_t kFacets = 32;

locale::_Impl* locale::_S_classic;
locale::_Impl* locale::_S_global;

// The classic locale lives in static memory, and is never destroyed.
static const locale::facet* classic_facets[kFacets];
static const locale::facet* classic_caches[kFacets];
static char classic_name[] = "C";
static char* classic_names[8] = {classic_name};

locale::_Impl::_Impl(size_t references) throw()
    : _M_refcount(static_cast<_Atomic_word>(references)),
      _M_facets(classic_facets),
      _M_facets_size(kFacets),
      _M_caches(classic_caches),
      _M_names(classic_names) {}

locale::_Impl::_Impl(const _Impl& other, size_t references)
    : _M_refcount(static_cast<_Atomic_word>(references)),
      _M_facets(new const facet*[other._M_facets_size]),
      _M_facets_size(other._M_facets_size),
      _M_caches(new const facet*[other._M_facets_size]()),
      _M_names(new char*[8]()) {
  for (size_t n = 0; n < _M_facets_size; ++n) {
    _M_facets[n] = other._M_facets[n];
    if (_M_facets[n]) _M_facets[n]->_M_add_reference();
  }
  _M_names[0] = new char[2]{'C', 0};
}

locale::_Impl::~_Impl() throw() {
  for (size_t n = 0; n < _M_facets_size; ++n) {
    if (_M_facets[n]) _M_facets[n]->_M_remove_reference();
    if (_M_caches[n]) _M_caches[n]->_M_remove_reference();
  }
  delete[] _M_facets;
  delete[] _M_caches;
  for (size_t n = 0; n < 8; ++n) delete[] _M_names[n];
  delete[] _M_names;
}

void locale::_Impl::_M_install_facet(const locale::id* id, const facet* made) {
  if (!made) return;
  const size_t index = id->_M_id();
  if (index >= _M_facets_size) {
    const size_t size = index + 4;
    const facet** const facets = new const facet*[size]();
    const facet** const caches = new const facet*[size]();
    std::memcpy(facets, _M_facets, _M_facets_size * sizeof *facets);
    std::memcpy(caches, _M_caches, _M_facets_size * sizeof *caches);
    delete[] _M_facets;
    delete[] _M_caches;
    _M_facets = facets;
    _M_caches = caches;
    _M_facets_size = size;
  }
  made->_M_add_reference();
  const facet* const old = _M_facets[index];
  _M_facets[index] = made;
  if (!old) return;  // nothing is cached of what was not there
  old->_M_remove_reference();
  for (size_t n = 0; n < _M_facets_size; ++n)
    if (_M_caches[n]) {
      _M_caches[n]->_M_remove_reference();
      _M_caches[n] = nullptr;
    }
}

static constinit mutex cache_lock;

void locale::_Impl::_M_install_cache(const facet* cache, size_t index) {
  const lock_guard<mutex> guard(cache_lock);
  if (_M_caches[index]) {
    delete cache;
  } else {
    cache->_M_add_reference();
    _M_caches[index] = cache;
  }
}

void locale::_Impl::_M_replace_facet(const _Impl* other, const locale::id* id) {
  const size_t index = id->_M_id();
  if (index >= other->_M_facets_size || !other->_M_facets[index])
    __throw_runtime_error("locale::_Impl::_M_replace_facet");
  _M_install_facet(id, other->_M_facets[index]);
}

// How often it was set: a scheduling point where several threads use it, one of which sets it.
static unsigned global_sets;

locale::locale() throw() {
  __atomic_load_n(&global_sets, __ATOMIC_ACQUIRE);
  _M_impl = _S_global;
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}
locale::locale(const locale& other) throw() : _M_impl(other._M_impl) {
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}
locale::locale(_Impl* impl) throw() : _M_impl(impl) {}
locale::locale(const char* name) : _M_impl(_S_classic) {
  if (!name || (std::strcmp(name, "C") != 0 && std::strcmp(name, "POSIX") != 0 && *name))
    __throw_runtime_error("locale::facet::_S_create_c_locale name not valid");
}
locale::~locale() throw() {
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
}
const locale& locale::operator=(const locale& other) throw() {
  if (other._M_impl != _S_classic) other._M_impl->_M_add_reference();
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
  _M_impl = other._M_impl;
  return *this;
}
bool locale::operator==(const locale& other) const throw() {
  if (_M_impl == other._M_impl) return true;
  return _M_impl->_M_names[0] && other._M_impl->_M_names[0] &&
         std::strcmp(_M_impl->_M_names[0], other._M_impl->_M_names[0]) == 0;
}
string locale::name() const { return _M_impl->_M_names[0] ? _M_impl->_M_names[0] : "*"; }
locale locale::global(const locale& wanted) {
  if (wanted._M_impl != _S_classic) wanted._M_impl->_M_add_reference();
  __atomic_fetch_add(&global_sets, 1, __ATOMIC_ACQ_REL);
  _Impl* const old = _S_global;
  _S_global = wanted._M_impl;
  return locale(old);
}

alignas(locale) static char classic_locale[sizeof(locale)];
const locale& locale::classic() { return reinterpret_cast<const locale&>(classic_locale); }

// ---- ctype<char>

static constexpr ctype_base::mask mask_of(int c) {
  ctype_base::mask mask = 0;
  const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  if (upper) mask |= ctype_base::upper;
  if (lower) mask |= ctype_base::lower;
  if (upper || lower) mask |= ctype_base::alpha;
  if (digit) mask |= ctype_base::digit;
  if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) mask |= ctype_base::xdigit;
  if (c == ' ' || (c >= '\t' && c <= '\r')) mask |= ctype_base::space;
  if (c == ' ' || c == '\t') mask |= ctype_base::blank;
  if (c >= 32 && c < 127) mask |= ctype_base::print;
  // ctype_base::alnum is alpha or digit: the C library's table has a bit of its own for both, as for graph.
  if (c > 32 && c < 127) mask |= _ISgraph | (upper || lower || digit ? +_ISalnum : +ctype_base::punct);
  if (c < 32 || c == 127) mask |= ctype_base::cntrl;
  return mask;
}

struct MaskTable {
  ctype_base::mask masks[256];
  constexpr MaskTable() : masks() {
    for (int c = 0; c < 128; ++c) masks[c] = mask_of(c);
  }
};
static constexpr MaskTable kMasks;

const ctype_base::mask ctype_base::upper;
const size_t ctype<char>::table_size;

ctype<char>::ctype(const mask* table, bool own, size_t references)
    : facet(references),
      _M_c_locale_ctype(nullptr),
      _M_del(table && own),
      _M_toupper(nullptr),
      _M_tolower(nullptr),
      _M_table(table ? table : classic_table()) {
  _M_widen_init();
  _M_narrow_init();
}
ctype<char>::ctype(__c_locale, const mask* table, bool own, size_t references) : ctype(table, own, references) {}
ctype<char>::~ctype() {
  if (_M_del) delete[] _M_table;
}
const ctype_base::mask* ctype<char>::classic_table() throw() { return kMasks.masks; }
void ctype<char>::_M_widen_init() const {
  for (size_t n = 0; n < sizeof _M_widen; ++n) _M_widen[n] = static_cast<char>(n);
  _M_widen_ok = 1;
}
void ctype<char>::_M_narrow_init() const {
  for (size_t n = 0; n < sizeof _M_narrow; ++n) _M_narrow[n] = static_cast<char>(n);
  _M_narrow_ok = 1;
}
char ctype<char>::do_toupper(char c) const { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char ctype<char>::do_tolower(char c) const { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
const char* ctype<char>::do_toupper(char* begin, const char* end) const {
  for (; begin < end; ++begin) *begin = ctype<char>::do_toupper(*begin);
  return end;
}
const char* ctype<char>::do_tolower(char* begin, const char* end) const {
  for (; begin < end; ++begin) *begin = ctype<char>::do_tolower(*begin);
  return end;
}

// ---- numbers

const char* __num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";
const char* __num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";

void __num_base::_S_format_float(const ios_base& stream, char* to, char modifier) throw() {
  const ios_base::fmtflags flags = stream.flags();
  const ios_base::fmtflags kind = flags & ios_base::floatfield;
  const bool upper = flags & ios_base::uppercase;
  *to++ = '%';
  if (flags & ios_base::showpos) *to++ = '+';
  if (flags & ios_base::showpoint) *to++ = '#';
  if (kind != (ios_base::fixed | ios_base::scientific)) {
    *to++ = '.';
    *to++ = '*';
  }
  if (modifier) *to++ = modifier;
  if (kind == ios_base::fixed)
    *to++ = upper ? 'F' : 'f';
  else if (kind == ios_base::scientific)
    *to++ = upper ? 'E' : 'e';
  else if (kind == (ios_base::fixed | ios_base::scientific))
    *to++ = upper ? 'A' : 'a';
  else
    *to++ = upper ? 'G' : 'g';
  *to = 0;
}

// Every group but the first has the size that the grouping asks for; the last size repeats.
bool __verify_grouping(const char* grouping, size_t size, const string& found) throw() {
  const size_t last = found.size() - 1;
  size_t at = 0;
  for (size_t n = last; n > 0; --n) {
    if (found[n] != grouping[at]) return false;
    if (at + 1 < size) ++at;
  }
  return static_cast<signed char>(grouping[at]) <= 0 || grouping[at] == __gnu_cxx::__numeric_traits<char>::__max ||
         found[0] <= grouping[at];
}

template <typename Number>
static void convert(Number (*parse)(const char*, char**), const char* text, Number& value, ios_base::iostate& state) {
  char* end;
  value = parse(text, &end);
  if (end == text || *end) {
    value = 0;
    state = ios_base::failbit;
  } else if (value == __builtin_huge_val() || value == -__builtin_huge_val()) {
    value = value > 0 ? numeric_limits<Number>::max() : -numeric_limits<Number>::max();
    state = ios_base::failbit;
  }
}
template <>
void __convert_to_v(const char* text, float& value, ios_base::iostate& state, const __c_locale&) throw() {
  convert(&std::strtof, text, value, state);
}
template <>
void __convert_to_v(const char* text, double& value, ios_base::iostate& state, const __c_locale&) throw() {
  convert(&std::strtod, text, value, state);
}
template <>
void __convert_to_v(const char* text, long double& value, ios_base::iostate& state, const __c_locale&) throw() {
  convert(&std::strtold, text, value, state);
}

template <>
void numpunct<char>::_M_initialize_numpunct(__c_locale) {
  if (!_M_data) _M_data = new __numpunct_cache<char>;
  _M_data->_M_grouping = "";
  _M_data->_M_grouping_size = 0;
  _M_data->_M_use_grouping = false;
  _M_data->_M_decimal_point = '.';
  _M_data->_M_thousands_sep = ',';
  std::memcpy(_M_data->_M_atoms_out, __num_base::_S_atoms_out, __num_base::_S_oend);
  std::memcpy(_M_data->_M_atoms_in, __num_base::_S_atoms_in, __num_base::_S_iend);
  _M_data->_M_truename = "true";
  _M_data->_M_truename_size = 4;
  _M_data->_M_falsename = "false";
  _M_data->_M_falsename_size = 5;
}
template <>
numpunct<char>::~numpunct() {
  delete _M_data;
}

// ---- collation, time, code conversion

template <>
int collate<char>::_M_compare(const char* a, const char* b) const throw() {
  const int order = std::strcmp(a, b);
  return order < 0 ? -1 : order > 0;
}
template <>
size_t collate<char>::_M_transform(char* to, const char* from, size_t size) const throw() {
  const size_t length = std::strlen(from);
  if (length < size)
    char_traits<char>::copy(to, from, length + 1);
  else if (size)
    char_traits<char>::copy(to, from, size);
  return length;
}

template <>
__timepunct<char>::__timepunct(size_t references)
    : facet(references), _M_data(nullptr), _M_c_locale_timepunct(nullptr), _M_name_timepunct("C") {
  _M_initialize_timepunct();
}
template <>
__timepunct<char>::~__timepunct() {}
template <>
void __timepunct<char>::_M_put(char* to, size_t size, const char* format, const tm* time) const throw() {
  if (!std::strftime(to, size, format, time)) *to = 0;
}

codecvt<char, char, mbstate_t>::codecvt(size_t references)
    : __codecvt_abstract_base<char, char, mbstate_t>(references), _M_c_locale_codecvt(nullptr) {}
codecvt<char, char, mbstate_t>::codecvt(__c_locale, size_t references) : codecvt(references) {}
codecvt<char, char, mbstate_t>::~codecvt() {}
codecvt_base::result codecvt<char, char, mbstate_t>::do_out(state_type&, const char* from, const char*,
                                                            const char*& from_next, char* to, char*,
                                                            char*& to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_unshift(state_type&, char* to, char*, char*& to_next) const {
  to_next = to;
  return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_in(state_type&, const char* from, const char*,
                                                           const char*& from_next, char* to, char*,
                                                           char*& to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}
int codecvt<char, char, mbstate_t>::do_encoding() const throw() { return 1; }
bool codecvt<char, char, mbstate_t>::do_always_noconv() const throw() { return true; }
int codecvt<char, char, mbstate_t>::do_length(state_type&, const char* from, const char* end, size_t most) const {
  return static_cast<int>(min(most, static_cast<size_t>(end - from)));
}
int codecvt<char, char, mbstate_t>::do_max_length() const throw() { return 1; }

// ---- before main

template class numpunct<char>;
template class num_get<char>;
template class num_put<char>;
template class collate<char>;
template class time_put<char>;
template const ctype<char>& use_facet<ctype<char>>(const locale&);
template const numpunct<char>& use_facet<numpunct<char>>(const locale&);
template const num_put<char>& use_facet<num_put<char>>(const locale&);
template const num_get<char>& use_facet<num_get<char>>(const locale&);
template const collate<char>& use_facet<collate<char>>(const locale&);
template const time_put<char>& use_facet<time_put<char>>(const locale&);
template const __timepunct<char>& use_facet<__timepunct<char>>(const locale&);
template const codecvt<char, char, mbstate_t>& use_facet<codecvt<char, char, mbstate_t>>(const locale&);
template bool has_facet<ctype<char>>(const locale&);
template bool has_facet<numpunct<char>>(const locale&);
template bool has_facet<num_put<char>>(const locale&);
template bool has_facet<num_get<char>>(const locale&);
template bool has_facet<collate<char>>(const locale&);
template bool has_facet<time_put<char>>(const locale&);
template bool has_facet<codecvt<char, char, mbstate_t>>(const locale&);

// Objects that are made before main, before those of the program, and live to the end.
template <typename Object>
alignas(Object) static char heddle_place[sizeof(Object)];

void locale::_S_initialize_once() throw() {
  _S_classic = ::new (heddle_place<_Impl>) _Impl(2);
  _S_global = _S_classic;
  auto* const numbers = ::new (heddle_place<__numpunct_cache<char>>) __numpunct_cache<char>(2);
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<std::ctype<char>>) std::ctype<char>(nullptr, false, 1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<numpunct<char>>) numpunct<char>(numbers, 1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<num_get<char>>) num_get<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<num_put<char>>) num_put<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<std::collate<char>>) std::collate<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<time_put<char>>) time_put<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<__timepunct<char>>) __timepunct<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<time_get<char>>) time_get<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<money_get<char>>) money_get<char>(1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<money_put<char>>) money_put<char>(1));
  alignas(16) static char money[sizeof(__moneypunct_cache<char, false>)], local[sizeof(__moneypunct_cache<char, true>)];
  auto* const national = ::new (money) __moneypunct_cache<char, false>(2);
  auto* const international = ::new (local) __moneypunct_cache<char, true>(2);
  using National = moneypunct<char, false>;
  using International = moneypunct<char, true>;
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<National>) National(national, 1));
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<International>) International(international, 1));
  _S_classic->_M_caches[National::id._M_id()] = national;
  _S_classic->_M_caches[International::id._M_id()] = international;
  using Convert = codecvt<char, char, mbstate_t>;
  _S_classic->_M_init_facet_unchecked(::new (heddle_place<Convert>) Convert(1));
  _S_classic->_M_caches[numpunct<char>::id._M_id()] = numbers;
  ::new (classic_locale) locale(_S_classic);
}
void locale::_S_initialize() {}

extern "C" {
void heddle_initialize_locale() __asm__("_ZNSt6locale18_S_initialize_onceEv");  // it is private
__attribute__((constructor(101))) static void heddle_prepare_streams() { heddle_initialize_locale(); }
}

}  // namespace std

extern "C" locale_t __uselocale(locale_t) { return nullptr; }
