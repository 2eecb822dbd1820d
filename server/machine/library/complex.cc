// complex.h, and the helpers that compilers call for complex multiplication and division.
//
// How complex values travel (x86-64): double as two doubles, float as two floats in one 64-bit value; long double comes
// as the address of a copy, which no model here takes.
#include "server/machine/library/support.h"

// C++ replaces complex.h by its own; the C functions are still in the library.
#define HEDDLE_REAL(name)          \
  double name(__complex__ double); \
  float name##f(__complex__ float)
#define HEDDLE_COMPLEX(name)                   \
  __complex__ double name(__complex__ double); \
  __complex__ float name##f(__complex__ float)
extern "C" {
HEDDLE_REAL(cabs);
HEDDLE_REAL(carg);
HEDDLE_REAL(creal);
HEDDLE_REAL(cimag);
HEDDLE_COMPLEX(conj);
HEDDLE_COMPLEX(cproj);
HEDDLE_COMPLEX(csqrt);
HEDDLE_COMPLEX(cexp);
HEDDLE_COMPLEX(clog);
HEDDLE_COMPLEX(csin);
HEDDLE_COMPLEX(ccos);
HEDDLE_COMPLEX(ctan);
HEDDLE_COMPLEX(casin);
HEDDLE_COMPLEX(cacos);
HEDDLE_COMPLEX(catan);
HEDDLE_COMPLEX(csinh);
HEDDLE_COMPLEX(ccosh);
HEDDLE_COMPLEX(ctanh);
HEDDLE_COMPLEX(casinh);
HEDDLE_COMPLEX(cacosh);
HEDDLE_COMPLEX(catanh);
__complex__ double cpow(__complex__ double, __complex__ double);
__complex__ float cpowf(__complex__ float, __complex__ float);
}
#undef HEDDLE_REAL
#undef HEDDLE_COMPLEX

namespace heddle::machine::models {
namespace {

using Complex = __complex__ double;
using ComplexFloat = __complex__ float;

Complex make(double real, double imaginary) {
  Complex z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}
ComplexFloat make_float(uint64_t bits) {
  ComplexFloat z;
  __real__ z = __builtin_bit_cast(float, static_cast<uint32_t>(bits));
  __imag__ z = __builtin_bit_cast(float, static_cast<uint32_t>(bits >> 32));
  return z;
}
Complex first(Guest& g) { return make(g.double_argument(0), g.double_argument(1)); }

Status give(Guest& g, Complex z) {
  const double real = __real__ z, imaginary = __imag__ z;
  g.result_two(__builtin_bit_cast(uint64_t, real), __builtin_bit_cast(uint64_t, imaginary));
  return Status::Done;
}
Status give(Guest& g, ComplexFloat z) {
  const float real = __real__ z, imaginary = __imag__ z;
  return done(g, uint64_t{__builtin_bit_cast(uint32_t, imaginary)} << 32 | __builtin_bit_cast(uint32_t, real));
}
Status give(Guest& g, double x) {
  g.result_double(x);
  return Status::Done;
}
Status give(Guest& g, float x) {
  g.result_float(x);
  return Status::Done;
}

template <auto f>
Status of_one(Guest& g) {
  return give(g, f(first(g)));
}
template <auto f>
Status of_one_float(Guest& g) {
  return give(g, f(make_float(g.argument(0))));
}
Status cpow_(Guest& g) { return give(g, ::cpow(first(g), make(g.double_argument(2), g.double_argument(3)))); }
Status cpowf_(Guest& g) { return give(g, ::cpowf(make_float(g.argument(0)), make_float(g.argument(1)))); }

// (a, b, c, d): (a + bi) and (c + di)
Status multiply(Guest& g) { return give(g, first(g) * make(g.double_argument(2), g.double_argument(3))); }
Status divide(Guest& g) { return give(g, first(g) / make(g.double_argument(2), g.double_argument(3))); }
ComplexFloat pair(Guest& g, uint32_t n) {
  ComplexFloat z;
  __real__ z = g.float_argument(n);
  __imag__ z = g.float_argument(n + 1);
  return z;
}
Status multiply_float(Guest& g) { return give(g, pair(g, 0) * pair(g, 2)); }
Status divide_float(Guest& g) { return give(g, pair(g, 0) / pair(g, 2)); }

#define HEDDLE_COMPLEX(name) \
  {#name, of_one<::name>}, { #name "f", of_one_float<::name##f> }

constexpr BuiltinRow kRows[] = {
    HEDDLE_COMPLEX(cabs),       HEDDLE_COMPLEX(carg),
    HEDDLE_COMPLEX(creal),      HEDDLE_COMPLEX(cimag),
    HEDDLE_COMPLEX(conj),       HEDDLE_COMPLEX(cproj),
    HEDDLE_COMPLEX(csqrt),      HEDDLE_COMPLEX(cexp),
    HEDDLE_COMPLEX(clog),       HEDDLE_COMPLEX(csin),
    HEDDLE_COMPLEX(ccos),       HEDDLE_COMPLEX(ctan),
    HEDDLE_COMPLEX(casin),      HEDDLE_COMPLEX(cacos),
    HEDDLE_COMPLEX(catan),      HEDDLE_COMPLEX(csinh),
    HEDDLE_COMPLEX(ccosh),      HEDDLE_COMPLEX(ctanh),
    HEDDLE_COMPLEX(casinh),     HEDDLE_COMPLEX(cacosh),
    HEDDLE_COMPLEX(catanh),     {"cpow", cpow_},
    {"cpowf", cpowf_},          {"__muldc3", multiply},
    {"__divdc3", divide},       {"__mulsc3", multiply_float},
    {"__divsc3", divide_float},
};

}  // namespace

std::span<const BuiltinRow> complex_rows() { return kRows; }

}  // namespace heddle::machine::models
