// Members of the string templates that the headers declare `extern template`: generated here, once.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace std {

template class basic_string<char>;
template class basic_string<wchar_t>;

}  // namespace std
