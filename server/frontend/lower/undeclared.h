// Library functions that C calls without a declaration have the type that GCC knows of them: malloc() gives a pointer,
// sqrt() a double, and printf() has one named parameter. Clang would know them, too, but for -fno-builtin.
//
// In:      the parser of a text of C in which a call without a declaration is no error.
// Out:     declarations, made when a name is looked up and found nowhere. Functions that Clang has no type for (those
//          that need a type of a header, or that are POSIX's) are declared as C89 says: they return int.
// Owns:    nothing; the parser owns what it is given.
// Threads: that of the parser.
// Fails:   never.
#pragma once

namespace clang {
class Sema;
}

namespace heddle::frontend {

void declare_what_gcc_knows(clang::Sema& sema);

}  // namespace heddle::frontend
