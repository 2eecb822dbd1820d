// C++ in the machine: what is wrong with exceptions, objects and static locals is found where it happens; what the
// machine keeps about them rewinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

struct Case {
  const char* name;
  FaultKind kind;
  const char* message;
  const char* text;  // the faulty line is marked with /*!*/
};

const Case kCases[] = {
    {"uncaught", FaultKind::UncaughtException, "throws 'int', which nothing catches",
     "struct L { ~L() {} };\nvoid f() { L l;\n throw 1; /*!*/\n}\nint main() { try { f(); } catch (long) {} }"},
    {"uncaught_in_a_thread", FaultKind::UncaughtException, "throws 'char const*', which nothing catches",
     "#include <pthread.h>\nextern \"C\" void* f(void*) {\n throw \"x\"; /*!*/\n}\nint main() { pthread_t t; "
     "try { pthread_create(&t, nullptr, f, nullptr); pthread_join(t, nullptr); } catch (...) {} }"},
    {"uncaught_with_text", FaultKind::UncaughtException, "throws 'E' (so it goes), which nothing catches",
     "namespace std { struct exception { virtual ~exception() {} virtual const char* what() const noexcept { return "
     "nullptr; } }; }\nstruct E : std::exception { const char* what() const noexcept override { return \"so it "
     "goes\"; } };\nint main() {\n throw E(); /*!*/\n}"},
    {"noexcept_function", FaultKind::UncaughtException, "an exception 'int' leaves 'f', which is noexcept",
     "void g() {\n throw 1; /*!*/\n}\nvoid f() noexcept { g(); }\nint main() { try { f(); } catch (int) {} }"},
    {"destructor", FaultKind::UncaughtException, "an exception 'long' leaves 'D::~D', which is noexcept",
     "struct D { ~D() {\n throw 2L; /*!*/\n} };\nint main() { try { D d; throw 1; } catch (int) {} }"},
    {"specification", FaultKind::UncaughtException,
     "an exception 'int' leaves 'f', whose exception specification forbids it",
     "void f() throw() {\n throw 1; /*!*/\n}\nint main() { try { f(); } catch (int) {} }"},
    {"rethrow_nothing", FaultKind::Abort, "calls std::terminate",
     "int main() { try { throw 1; } catch (int) {}\n throw; /*!*/\n}"},
    {"before_main", FaultKind::UncaughtException, "throws 'int', which nothing catches",
     "int f() {\n throw 1; /*!*/\n}\nint x = f();\nint main() { return x; }"},
    {"pure_virtual", FaultKind::Abort, "calls a pure virtual function",
     "struct A { A() { g(); } virtual void f() = 0; void g() {\n f(); /*!*/\n} };\nstruct B : A { void f() override {} "
     "};\nint main() { B b; }"},
    {"array_as_object", FaultKind::InvalidFree, "back with delete, but it is from new[]",
     "int main() { int* volatile p = new int[4];\n delete p; /*!*/\n}"},
    {"object_as_array", FaultKind::InvalidFree, "back with delete[], but it is from new",
     "int main() { int* volatile p = new int;\n delete[] p; /*!*/\n}"},
    {"free_of_new", FaultKind::InvalidFree, "back with free, but it is from new",
     "#include <stdlib.h>\nint main() { int* volatile p = new int;\n free(p); /*!*/\n}"},
    {"delete_of_malloc", FaultKind::InvalidFree, "back with delete, but it is from malloc",
     "#include <stdlib.h>\nint main() { int* volatile p = (int*)malloc(4);\n delete p; /*!*/\n}"},
    {"double_delete", FaultKind::DoubleFree, "again",
     "int main() { int* volatile p = new int; delete p;\n delete p; /*!*/\n}"},
    {"leaked_object", FaultKind::Leak, "is never freed",
     "int main() { int* volatile p =\n new int; /*!*/\n p = nullptr; }"},
    {"recursive_static", FaultKind::LockMisuse, "enters the initialisation of 'v' while the same thread is in it",
     "int f(int n) {\n static int v = f(n + 1); /*!*/\n return v; }\nint main() { return f(0); }"},
    {"after_delete", FaultKind::UseAfterFree, "after it was freed",
     "struct A { virtual int f() { return 1; } virtual ~A() {} };\nint main() { A* volatile p = new A; delete p;\n "
     "return "
     "p->f(); /*!*/\n}"},
};

uint32_t marked_line(const std::string& text) {
  return 1 +
         static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(text.find("/*!*/")), '\n'));
}

class Language : public testing::TestWithParam<Case> {};

TEST_P(Language, FaultsAreFoundAtTheirLine) {
  const Case& c = GetParam();
  for (const bool facts : {true, false}) {
    Machine m(cxx_image_of(c.text, facts), {});
    run(m, 0);
    const Fault* fault = find_fault(m, c.kind);
    ASSERT_NE(fault, nullptr) << (m.faults().empty() ? "no fault" : m.faults()[0].message) << "\n" << c.text;
    EXPECT_EQ(m.faults().size(), 1u) << m.faults()[0].message << " / " << m.faults()[1].message;
    EXPECT_EQ(line_of(m, fault->places.at(0).at), marked_line(c.text)) << fault->message;
    EXPECT_NE(fault->message.find(c.message), std::string::npos) << fault->message;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Language, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// All frames of a throw that nothing catches are still there.
TEST(Exceptions, UncaughtKeepTheStack) {
  Machine m(cxx_image_of("struct L { ~L() {} };\nvoid h() { L l; throw 1; }\nvoid g() { L l; h(); }\n"
                         "int main() { L l; g(); }\n"),
            {});
  run(m, 0);
  const Fault* fault = find_fault(m, FaultKind::UncaughtException);
  ASSERT_NE(fault, nullptr);
  std::vector<uint32_t> lines{line_of(m, fault->places.at(0).at)};
  for (const CodeAddress at : fault->places[0].stack) lines.push_back(line_of(m, at));
  EXPECT_EQ(lines, (std::vector<uint32_t>{2, 3, 4}));
}

// Every interleaving of two first uses: initialised once, by either thread; and never a race.
const char* const kTwoFirstUses =
    "#include <pthread.h>\n#include <stdio.h>\nint made;\nstruct T { int by; T(int n) : by(n) { ++made; } };\n"
    "int use(int n) { static T t(n); return t.by; }\n"
    "extern \"C\" void* f(void* p) { return (void*)(long)use((int)(long)p); }\n"
    "int main() { pthread_t a, b; void *x, *y; pthread_create(&a, 0, f, (void*)1); pthread_create(&b, 0, f, "
    "(void*)2);\n"
    "pthread_join(a, &x); pthread_join(b, &y); printf(\"%ld%ld%d\", (long)x, (long)y, made); }\n";

const char* const kThrowingFirstUses =
    "#include <pthread.h>\n#include <stdio.h>\nint tries;\nint init(int n) { if (++tries == 1) throw n; return n; }\n"
    "int use(int n) { static int v = init(n); return v; }\n"
    "extern \"C\" void* f(void* p) { try { return (void*)(long)use((int)(long)p); } catch (int n) { return "
    "(void*)(long)(n + 5); } }\n"
    "int main() { pthread_t a, b; void *x, *y; pthread_create(&a, 0, f, (void*)1); pthread_create(&b, 0, f, "
    "(void*)2);\n"
    "pthread_join(a, &x); pthread_join(b, &y); printf(\"%ld%ld\", (long)x, (long)y); }\n";

// Depth first through all interleavings; states seen before are left alone.
void explore(Machine& m, std::set<uint64_t>& seen, std::set<std::string>& outputs) {
  if (!seen.insert(m.fingerprint(true)).second) return;
  const std::vector<Step> possible = choices(m);
  if (possible.empty()) {
    const bool good = m.outcome() == Outcome::Finished && m.faults().empty();
    outputs.insert(good ? m.standard_output() : m.faults().empty() ? "stuck" : m.faults()[0].message);
    return;
  }
  for (const Step one : possible) {
    const Mark mark = m.mark();
    step(m, one);
    explore(m, seen, outputs);
    m.rewind(mark);
  }
}

std::set<std::string> all_outputs(const char* text) {
  Machine m(cxx_image_of(text), {});
  std::set<uint64_t> seen;
  std::set<std::string> outputs;
  explore(m, seen, outputs);
  return outputs;
}

TEST(StaticLocals, EitherThreadInitialises) {
  EXPECT_EQ(all_outputs(kTwoFirstUses), (std::set<std::string>{"111", "221"}));
}

TEST(StaticLocals, AnotherThreadTriesAfterAnException) {
  EXPECT_EQ(all_outputs(kThrowingFirstUses), (std::set<std::string>{"62", "17"}));
}

// Exceptions in flight and caught are part of what goes back: random walks that rewind must repeat themselves.
TEST(Exceptions, Rewind) {
  const ImagePtr image = cxx_image_of(
      "#include <pthread.h>\n#include <exception>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "struct Hold { Hold() { pthread_mutex_lock(&m); } ~Hold() { pthread_mutex_unlock(&m); } };\nstatic int sum;\n"
      "struct Base { virtual ~Base() { Hold h; ++sum; } }; struct Derived : Base { int n; Derived(int x) : n(x) {} };\n"
      "void deep(int n) { Hold h; if (n > 0) throw Derived(n); }\n"
      "extern \"C\" void* f(void* p) { for (int k = 0; k < 2; ++k) try { try { deep((int)(long)p + k); } catch "
      "(Derived& d) "
      "{ { Hold h; sum += d.n; } if (d.n > 1) throw; } } catch (Base&) { Hold h; sum += 100; }\n return p; }\n"
      "int main() { pthread_t t[2]; for (long k = 0; k < 2; ++k) pthread_create(&t[k], 0, f, (void*)k);\n"
      "for (int k = 0; k < 2; ++k) pthread_join(t[k], 0); return sum; }\n");
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Machine m(image, {});
    struct Saved {
      Mark mark;
      uint64_t fingerprint;
    };
    std::vector<Saved> saved;
    for (int n = 0; n < 300; ++n) {
      if (saved.size() > 1 && (random() % 5 == 0 || choices(m).empty())) {
        saved.resize(1 + random() % saved.size());
        m.rewind(saved.back().mark);
        ASSERT_EQ(m.fingerprint(true), saved.back().fingerprint);
        saved.pop_back();
      }
      const std::vector<Step> possible = choices(m);
      if (possible.empty()) break;
      const Mark mark = m.mark();
      saved.push_back({mark, m.fingerprint(true)});
      step(m, possible[random() % possible.size()]);
    }
    m.rewind(saved.front().mark);
    run(m, seed);
    EXPECT_EQ(m.outcome(), Outcome::Finished);
    EXPECT_TRUE(m.faults().empty()) << m.faults()[0].message;
    EXPECT_EQ(m.exit_code(), 107);
  }
}

}  // namespace
}  // namespace heddle::machine::test
