#include "server/frontend/gcc_atomics.h"

#include <array>
#include <string>

namespace heddle::frontend {

namespace {

// What has the object as its first argument, and what follows the others in the form without `_explicit`.
struct Operation {
  const char* name;
  const char* arguments;
  const char* orders;
};
constexpr const char* kOrder = ", __ATOMIC_SEQ_CST";
constexpr const char* kTwoOrders = ", __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST";
constexpr std::array kOperations = {
    Operation{"store", ", v", kOrder},
    Operation{"load", "", kOrder},
    Operation{"exchange", ", v", kOrder},
    Operation{"compare_exchange_strong", ", e, v", kTwoOrders},
    Operation{"compare_exchange_weak", ", e, v", kTwoOrders},
    Operation{"fetch_add", ", v", kOrder},
    Operation{"fetch_sub", ", v", kOrder},
    Operation{"fetch_or", ", v", kOrder},
    Operation{"fetch_xor", ", v", kOrder},
    Operation{"fetch_and", ", v", kOrder},
};

// Of which Clang's want objects that are not _Atomic.
constexpr std::array kBuiltins = {
    "__atomic_store_n",         "__atomic_exchange_n",          "__atomic_compare_exchange_n", "__atomic_load_n",
    "__atomic_fetch_add",       "__atomic_fetch_sub",           "__atomic_fetch_or",           "__atomic_fetch_and",
    "__atomic_fetch_xor",       "__atomic_add_fetch",           "__atomic_sub_fetch",          "__atomic_or_fetch",
    "__atomic_and_fetch",       "__atomic_xor_fetch",           "__sync_fetch_and_add",        "__sync_fetch_and_sub",
    "__sync_fetch_and_or",      "__sync_fetch_and_and",         "__sync_add_and_fetch",        "__sync_sub_and_fetch",
    "__sync_lock_test_and_set", "__sync_bool_compare_and_swap", "__sync_val_compare_and_swap",
};

std::string made() {
  // A comma's right operand has its value's type: without _Atomic and other qualifiers.
  std::string text =
      "\n#if defined(__HEDDLE_GCC__) && !defined(__cplusplus) && !defined(HEDDLE_ATOMIC_OBJECT)\n"
      "#define HEDDLE_ATOMIC_OBJECT(p) ((_Atomic(__typeof__((void)0, *(p))) *)(p))\n"
      "#undef atomic_init\n#define atomic_init(p, v) __c11_atomic_init(HEDDLE_ATOMIC_OBJECT(p), v)\n";
  for (const Operation& one : kOperations) {
    const std::string name = one.name, arguments = one.arguments;
    const bool two = one.orders == kTwoOrders;
    text += "#undef atomic_" + name + "\n#undef atomic_" + name + "_explicit\n";
    text += "#define atomic_" + name + "(p" + arguments + ") __c11_atomic_" + name + "(HEDDLE_ATOMIC_OBJECT(p)" +
            arguments + one.orders + ")\n";
    text += "#define atomic_" + name + "_explicit(p" + arguments + ", o" + (two ? ", f" : "") + ") __c11_atomic_" +
            name + "(HEDDLE_ATOMIC_OBJECT(p)" + arguments + ", o" + (two ? ", f" : "") + ")\n";
  }
  text += "#define HEDDLE_PLAIN_OBJECT(p) ((__typeof__((void)0, *(p)) *)(p))\n";
  for (const char* name : kBuiltins)
    text += "#define " + std::string(name) + "(p, ...) " + name + "(HEDDLE_PLAIN_OBJECT(p), __VA_ARGS__)\n";
  return text + "#endif\n";
}

}  // namespace

const std::string& gcc_atomics() {
  static const std::string text = made();
  return text;
}

}  // namespace heddle::frontend
