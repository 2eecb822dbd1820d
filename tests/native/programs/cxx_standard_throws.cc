// What the language itself throws: bad_cast, bad_typeid, bad_alloc; nested exceptions.
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

struct A { virtual ~A() {} };
struct B : A {};
void* volatile sink;
void print(const std::exception& e, int depth = 0) {
  std::printf("%*s%s\n", depth, "", e.what());
  try { std::rethrow_if_nested(e); } catch (const std::exception& inner) { print(inner, depth + 1); } catch (int n) { std::printf("%*s%d\n", depth + 1, "", n); }
}
void third() { throw 3; }
void second() { try { third(); } catch (...) { std::throw_with_nested(std::runtime_error("second")); } }
void first() { try { second(); } catch (...) { std::throw_with_nested(std::logic_error("first")); } }
struct Own : std::out_of_range { int code; explicit Own(int c) : std::out_of_range("own " + std::to_string(c)), code(c) {} };

int main() {
  A a;
  A* volatile none = nullptr;
  try { B& b = dynamic_cast<B&>(a); sink = &b; } catch (const std::bad_cast& e) { std::printf("%s\n", e.what()); }
  try { std::printf("%s\n", typeid(*none).name()); } catch (const std::bad_typeid& e) { std::printf("%s\n", e.what()); }
  volatile long n = -1;
  try { sink = new int[n]; } catch (const std::bad_alloc& e) { std::printf("%s\n", e.what()); }
  n = 1L << 50;
  try { sink = new char[n]; } catch (const std::bad_alloc& e) { std::printf("%s\n", e.what()); }
  sink = new (std::nothrow) char[n];
  std::printf("%d\n", sink == nullptr);
  try { first(); } catch (const std::exception& e) { print(e); }
  try { throw Own(5); } catch (const std::logic_error& e) { std::printf("%s %d\n", e.what(), dynamic_cast<const Own&>(e).code); }
  try { std::string("abc").at(5); } catch (const std::out_of_range&) { std::printf("out of range\n"); }
  std::exception_ptr p;
  try { throw std::domain_error("kept"); } catch (...) { p = std::current_exception(); }
  std::exception_ptr q = p;
  p = nullptr;
  try { std::rethrow_exception(q); } catch (const std::exception& e) { std::printf("%s %s\n", e.what(), typeid(e).name()); }
}
