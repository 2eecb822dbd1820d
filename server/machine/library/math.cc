// math.h for float, double and long double, by the host's functions, which are pure; errno is handed to the guest.
#include <cerrno>
#include <cmath>

#include "server/machine/library/support.h"

namespace heddle::machine {
namespace models {
namespace {

template <typename T>
T floating(Guest& g, uint32_t n);
template <>
float floating<float>(Guest& g, uint32_t n) {
  return g.float_argument(n);
}
template <>
double floating<double>(Guest& g, uint32_t n) {
  return g.double_argument(n);
}
template <>
long double floating<long double>(Guest& g, uint32_t n) {
  return g.long_double_argument(n);
}

void give(Guest& g, float value) { g.result_float(value); }
void give(Guest& g, double value) { g.result_double(value); }
void give(Guest& g, long double value) { g.result_long_double(value); }
void give(Guest& g, int value) { g.result_int(value); }
void give(Guest& g, long value) { g.result(static_cast<uint64_t>(value)); }
void give(Guest& g, long long value) { g.result(static_cast<uint64_t>(value)); }

template <typename Value>
Status give_checked(Guest& g, Value value) {
  if (errno != 0 && !g.set_errno(errno)) return Status::Faulted;
  give(g, value);
  return Status::Done;
}

template <typename T, auto f>
Status one(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0)));
}
template <typename T, auto f>
Status two(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0), floating<T>(g, 1)));
}
template <typename T, auto f>
Status three(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0), floating<T>(g, 1), floating<T>(g, 2)));
}
template <typename T, auto f>
Status with_int(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0), g.int_argument(1)));
}
template <typename T, auto f>
Status with_long(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0), static_cast<long>(g.argument(1))));
}
template <typename T, auto f>
Status int_first(Guest& g) {
  errno = 0;
  return give_checked(g, f(g.int_argument(0), floating<T>(g, 1)));
}

template <typename T, auto f>
Status toward(Guest& g) {
  errno = 0;
  return give_checked(g, f(floating<T>(g, 0), g.long_double_argument(1)));
}

// A long double in memory is 10 bytes of value and 6 of padding.
template <typename T>
bool store_float(Guest& g, Pointer to, T value) {
  return g.write(to, &value, sizeof(T) == 16 ? 10 : sizeof(T));
}

template <typename T>
Status frexp_(Guest& g) {
  int exponent = 0;
  const T value = std::frexp(floating<T>(g, 0), &exponent);
  if (!store(g, g.pointer(1), exponent)) return Status::Faulted;
  give(g, value);
  return Status::Done;
}
template <typename T>
Status modf_(Guest& g) {
  T whole;
  const T value = std::modf(floating<T>(g, 0), &whole);
  if (!store_float(g, g.pointer(1), whole)) return Status::Faulted;
  give(g, value);
  return Status::Done;
}
template <typename T>
Status remquo_(Guest& g) {
  int quotient = 0;
  errno = 0;
  const T value = std::remquo(floating<T>(g, 0), floating<T>(g, 1), &quotient);
  if (!store(g, g.pointer(2), quotient)) return Status::Faulted;
  return give_checked(g, value);
}
template <typename T>
Status sincos_(Guest& g) {
  const T x = floating<T>(g, 0);
  return done_if(store_float(g, g.pointer(1), std::sin(x)) && store_float(g, g.pointer(2), std::cos(x)));
}
template <typename T, auto f>
Status lgamma_(Guest& g) {
  int sign = 0;
  errno = 0;
  const T value = f(floating<T>(g, 0), &sign);
  if (!store(g, g.process_object("signgam", 4), sign)) return Status::Faulted;
  return give_checked(g, value);
}
template <typename T, auto f>
Status lgamma_r_(Guest& g) {
  int sign = 0;
  errno = 0;
  const T value = f(floating<T>(g, 0), &sign);
  if (!store(g, g.pointer(1), sign)) return Status::Faulted;
  return give_checked(g, value);
}
template <typename T, auto f>
Status nan_(Guest& g) {
  std::string tag;
  if (!g.read_string(g.pointer(0), tag)) return Status::Faulted;
  give(g, f(tag.c_str()));
  return Status::Done;
}

// The classification functions that the macros call: (double), (float), (long double).
template <typename T>
Status isnan_(Guest& g) {
  return done_int(g, std::isnan(floating<T>(g, 0)));
}
template <typename T>
Status isinf_(Guest& g) {
  const T x = floating<T>(g, 0);
  return done_int(g, std::isinf(x) ? (x < 0 ? -1 : 1) : 0);
}
template <typename T>
Status finite_(Guest& g) {
  return done_int(g, std::isfinite(floating<T>(g, 0)));
}
template <typename T>
Status signbit_(Guest& g) {
  return done_int(g, std::signbit(floating<T>(g, 0)));
}
template <typename T>
Status fpclassify_(Guest& g) {
  return done_int(g, std::fpclassify(floating<T>(g, 0)));
}

// errno of the host is all that these functions change; the rounding mode is always "to nearest".
Status fegetround_(Guest& g) { return done_int(g, 0); }
Status fesetround_(Guest& g) {
  if (g.int_argument(0) == 0) return done_int(g, 0);
  return g.fault(FaultKind::Unsupported, "fesetround() to another direction than FE_TONEAREST");
}
Status fetestexcept_(Guest& g) {
  return g.fault(FaultKind::Unsupported, "fetestexcept(): which floating-point exceptions were raised");
}

#define HEDDLE_MATH(name, shape)                                                 \
  {#name, shape<double, static_cast<decltype(&::name)>(::name)>},                \
      {#name "f", shape<float, static_cast<decltype(&::name##f)>(::name##f)>}, { \
    #name "l", shape<long double, static_cast<decltype(&::name##l)>(::name##l)>  \
  }
#define HEDDLE_MATH_FORM(name, model) \
  {#name, model<double>}, {#name "f", model<float>}, { #name "l", model<long double> }

template <typename T>
Status powi_(Guest& g) {  // what __builtin_powi becomes
  T x = floating<T>(g, 0), value = 1;
  for (uint32_t n = static_cast<uint32_t>(std::abs(static_cast<int64_t>(g.int_argument(1)))); n != 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) value *= x;
  }
  give(g, g.int_argument(1) < 0 ? 1 / value : value);
  return Status::Done;
}

double exp10_double(double x) { return ::exp10(x); }
float exp10_float(float x) { return ::exp10f(x); }
long double exp10_long(long double x) { return ::exp10l(x); }

constexpr BuiltinRow kRows[] = {
    HEDDLE_MATH(acos, one),
    HEDDLE_MATH(acosh, one),
    HEDDLE_MATH(asin, one),
    HEDDLE_MATH(asinh, one),
    HEDDLE_MATH(atan, one),
    HEDDLE_MATH(atan2, two),
    HEDDLE_MATH(atanh, one),
    HEDDLE_MATH(cbrt, one),
    HEDDLE_MATH(ceil, one),
    HEDDLE_MATH(copysign, two),
    HEDDLE_MATH(cos, one),
    HEDDLE_MATH(cosh, one),
    HEDDLE_MATH(erf, one),
    HEDDLE_MATH(erfc, one),
    HEDDLE_MATH(exp, one),
    HEDDLE_MATH(exp2, one),
    HEDDLE_MATH(expm1, one),
    HEDDLE_MATH(fabs, one),
    HEDDLE_MATH(fdim, two),
    HEDDLE_MATH(floor, one),
    HEDDLE_MATH(fma, three),
    HEDDLE_MATH(fmax, two),
    HEDDLE_MATH(fmin, two),
    HEDDLE_MATH(fmod, two),
    HEDDLE_MATH(hypot, two),
    HEDDLE_MATH(ilogb, one),
    HEDDLE_MATH(j0, one),
    HEDDLE_MATH(j1, one),
    HEDDLE_MATH(jn, int_first),
    HEDDLE_MATH(y0, one),
    HEDDLE_MATH(y1, one),
    HEDDLE_MATH(yn, int_first),
    HEDDLE_MATH(ldexp, with_int),
    HEDDLE_MATH(llrint, one),
    HEDDLE_MATH(llround, one),
    HEDDLE_MATH(log, one),
    HEDDLE_MATH(log10, one),
    HEDDLE_MATH(log1p, one),
    HEDDLE_MATH(log2, one),
    HEDDLE_MATH(logb, one),
    HEDDLE_MATH(lrint, one),
    HEDDLE_MATH(lround, one),
    HEDDLE_MATH(nearbyint, one),
    HEDDLE_MATH(nextafter, two),
    HEDDLE_MATH(nexttoward, toward),
    HEDDLE_MATH(pow, two),
    HEDDLE_MATH(remainder, two),
    HEDDLE_MATH(rint, one),
    HEDDLE_MATH(round, one),
    HEDDLE_MATH(roundeven, one),
    HEDDLE_MATH(scalbln, with_long),
    HEDDLE_MATH(scalbn, with_int),
    HEDDLE_MATH(sin, one),
    HEDDLE_MATH(sinh, one),
    HEDDLE_MATH(sqrt, one),
    HEDDLE_MATH(tan, one),
    HEDDLE_MATH(tanh, one),
    HEDDLE_MATH(tgamma, one),
    HEDDLE_MATH(trunc, one),
    HEDDLE_MATH(nan, nan_),
    {"exp10", one<double, exp10_double>},
    {"exp10f", one<float, exp10_float>},
    {"exp10l", one<long double, exp10_long>},
    {"pow10", one<double, exp10_double>},
    {"drem", two<double, static_cast<double (*)(double, double)>(::remainder)>},
    HEDDLE_MATH_FORM(frexp, frexp_),
    HEDDLE_MATH_FORM(modf, modf_),
    HEDDLE_MATH_FORM(remquo, remquo_),
    HEDDLE_MATH_FORM(sincos, sincos_),
    {"lgamma", lgamma_<double, ::lgamma_r>},
    {"lgammaf", lgamma_<float, ::lgammaf_r>},
    {"lgammal", lgamma_<long double, ::lgammal_r>},
    {"gamma", lgamma_<double, ::lgamma_r>},
    {"lgamma_r", lgamma_r_<double, ::lgamma_r>},
    {"lgammaf_r", lgamma_r_<float, ::lgammaf_r>},
    {"lgammal_r", lgamma_r_<long double, ::lgammal_r>},
    HEDDLE_MATH_FORM(isnan, isnan_),
    HEDDLE_MATH_FORM(isinf, isinf_),
    HEDDLE_MATH_FORM(finite, finite_),
    HEDDLE_MATH_FORM(__isnan, isnan_),
    HEDDLE_MATH_FORM(__isinf, isinf_),
    HEDDLE_MATH_FORM(__finite, finite_),
    HEDDLE_MATH_FORM(__signbit, signbit_),
    HEDDLE_MATH_FORM(__fpclassify, fpclassify_),
    {"__powisf2", powi_<float>},
    {"__powidf2", powi_<double>},
    {"__powixf2", powi_<long double>},
    {"fegetround", fegetround_},
    {"fesetround", fesetround_},
    {"feclearexcept", return_zero},
    {"fetestexcept", fetestexcept_},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> math_builtins() {
  static const models::Rows rows = models::join({models::kRows, models::complex_rows()});
  return rows;
}

}  // namespace heddle::machine
