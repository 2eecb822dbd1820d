// Failures that a test expects: they are counted and end no path. A case says so of itself (`should_fail`, a tag), or
// of one statement (EXPECT_FATAL_FAILURE).
#pragma once
#pragma GCC system_header

// The end of a path. `what`: the check as it is written, the same in all interleavings. `values` are of this one.
extern "C" [[noreturn]] void __heddle_check_failed(const char* what, const char* values);

namespace heddle_test {

struct Left {};     // thrown by a check that leaves its case
struct Skipped {};  // thrown by SKIP

// Where failures are counted: of all threads, or of the thread that runs the statement.
struct Expected {
  int fatal, others;
  bool stays;

  static Expected*& of_all_threads() {
    static Expected* one = nullptr;
    return one;
  }
  static Expected*& of_this_thread() {
    static thread_local Expected* one = nullptr;
    return one;
  }
  // Whether the failure is expected.
  static bool counts(bool fatal) {
    Expected* const expected = of_this_thread() ? of_this_thread() : of_all_threads();
    if (!expected || (fatal && expected->stays)) return false;
    __atomic_fetch_add(fatal ? &expected->fatal : &expected->others, 1, __ATOMIC_SEQ_CST);
    return true;
  }
};

// While it lives, failures are counted.
class Expecting {
 public:
  explicit Expecting(Expected*& place) : counted{0, 0, false}, place_(place), before_(place) { place_ = &counted; }
  ~Expecting() { place_ = before_; }
  Expected counted;

 private:
  Expected*& place_;
  Expected* before_;
};

// What a case says of its failures: `at_least` and `at_most` of them. `said` is its words.
struct Expectation {
  int at_least, at_most;
  bool skipped;
  bool stays;  // a failure that leaves the case, and an exception, is not expected
  const char* said;

  Expectation() : at_least(0), at_most(0), skipped(false), stays(false), said("") {}
  bool any() const { return at_most > 0; }
  void may_fail(const char* words) {
    at_most = 0x7fffffff;
    said = words;
  }
  void should_fail(const char* words) {
    may_fail(words);
    at_least = 1;
  }
};

// Runs a case, whose runs are `runs(body)`, with the failures that it expects. True: it ran to its end.
template <typename Runs, typename Body>
void run_expecting(const Expectation& expects, const Runs& runs, const Body& body) {
  if (expects.skipped) return;
  if (!expects.any()) return runs(body);
  int failures = 0;
  {
    Expecting expecting(Expected::of_all_threads());
    expecting.counted.stays = expects.stays;
    runs([&] {
      if (expects.stays) return body();
      try {
        body();
      } catch (const Left&) {
      } catch (const Skipped&) {
        throw;
      } catch (...) {
        Expected::counts(false);
      }
    });
    failures = expecting.counted.fatal + expecting.counted.others;
  }
  if (failures >= expects.at_least && failures <= expects.at_most) return;
  __heddle_check_failed(expects.said, failures == 0                 ? "it did not fail"
                                      : failures < expects.at_least ? "fewer of its checks failed"
                                                                    : "more of its checks failed");
}

}  // namespace heddle_test
