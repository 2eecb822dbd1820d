// complex.h and fenv.h, and the arithmetic that compilers call.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"__divdc3", Model, nothing},
    {"__divsc3", Model, nothing},
    {"__muldc3", Model, nothing},
    {"__mulsc3", Model, nothing},
    {"__powidf2", Model, nothing},
    {"__powisf2", Model, nothing},
    {"__powixf2", Model, nothing},
    {"cabs", Model, nothing},
    {"cabsf", Model, nothing},
    {"cacos", Model, nothing},
    {"cacosf", Model, nothing},
    {"cacosh", Model, nothing},
    {"cacoshf", Model, nothing},
    {"carg", Model, nothing},
    {"cargf", Model, nothing},
    {"casin", Model, nothing},
    {"casinf", Model, nothing},
    {"casinh", Model, nothing},
    {"casinhf", Model, nothing},
    {"catan", Model, nothing},
    {"catanf", Model, nothing},
    {"catanh", Model, nothing},
    {"catanhf", Model, nothing},
    {"ccos", Model, nothing},
    {"ccosf", Model, nothing},
    {"ccosh", Model, nothing},
    {"ccoshf", Model, nothing},
    {"cexp", Model, nothing},
    {"cexpf", Model, nothing},
    {"cimag", Model, nothing},
    {"cimagf", Model, nothing},
    {"clog", Model, nothing},
    {"clogf", Model, nothing},
    {"conj", Model, nothing},
    {"conjf", Model, nothing},
    {"cpow", Model, nothing},
    {"cpowf", Model, nothing},
    {"cproj", Model, nothing},
    {"cprojf", Model, nothing},
    {"creal", Model, nothing},
    {"crealf", Model, nothing},
    {"csin", Model, nothing},
    {"csinf", Model, nothing},
    {"csinh", Model, nothing},
    {"csinhf", Model, nothing},
    {"csqrt", Model, nothing},
    {"csqrtf", Model, nothing},
    {"ctan", Model, nothing},
    {"ctanf", Model, nothing},
    {"ctanh", Model, nothing},
    {"ctanhf", Model, nothing},
    {"feclearexcept", Model, nothing, hidden(kArithmetic)},
    {"fegetround", Model, nothing, hidden(kArithmetic)},
    {"feraiseexcept", Model, nothing, hidden(kArithmetic)},
    {"fesetenv", Model, reads(at(0)), hidden(kArithmetic)},
    {"fesetround", Model, nothing, hidden(kArithmetic)},
    {"fetestexcept", Model, nothing, hidden(kArithmetic)},
    {"feupdateenv", Model, reads(at(0)), hidden(kArithmetic)},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> complex_functions() { return kRows; }

}  // namespace heddle::library
