// ctype.h.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"__ctype_b_loc", Model, allocates, variables(kTheLocale)},
    {"__ctype_tolower_loc", Model, allocates, variables(kTheLocale)},
    {"__ctype_toupper_loc", Model, allocates, variables(kTheLocale)},
    {"_tolower", Model, nothing},
    {"_toupper", Model, nothing},
    {"isalnum", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
    {"isalpha", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
    {"isascii", Model, nothing},
    {"isblank", Model, nothing, variables(kTheLocale)},
    {"iscntrl", Model, nothing, variables(kTheLocale)},
    {"isdigit", Model, nothing, variables(kTheLocale)},
    {"isgraph", Model, nothing, variables(kTheLocale)},
    {"islower", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
    {"isprint", Model, nothing, variables(kTheLocale)},
    {"ispunct", Model, nothing, variables(kTheLocale)},
    {"isspace", Model, nothing, variables(kTheLocale)},
    {"isupper", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
    {"isxdigit", Model, nothing, variables(kTheLocale)},
    {"toascii", Model, nothing},
    {"tolower", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
    {"toupper", Model, nothing, hidden(kLocale, 0), variables(kTheLocale)},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> ctype_functions() { return kRows; }

}  // namespace heddle::library
