// Edits of a loop's bound: whether it still ends is seen, whatever the widths of counter and comparison are.
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

struct Bounds {
  std::string name, loop;             // with @ for the bound; k is volatile
  std::string first, other, endless;  // bounds: the loop ends with two of them
};

class Loops : public testing::TestWithParam<Bounds> {
 protected:
  static TwoVersions change(const std::string& from, const std::string& to) {
    const std::string program = R"(
static unsigned char g;
static int below(int n) { volatile int k = 0; for (unsigned char i = 0; i < n; i++) k++; return k; }
static int until(unsigned n) { volatile int k = 0; for (unsigned short i = 0; i != n; i++) k++; return k; }
void *worker(void *p) { volatile int k = g + below(1) + until(1); )" +
                                GetParam().loop +
                                R"( return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); }
)";
    const auto with = [&](const std::string& bound) { return replace(program, {{"@", bound}}); };
    TwoVersions result;
    result.before = facts_of(with(from));
    result.after = facts_of(with(to));
    result.impact = compare(result.before, result.after);
    result.text = print(*result.after, result.impact);
    return result;
  }
};

TEST_P(Loops, ThatNoLongerEndAreAChange) {
  const TwoVersions e = change(GetParam().first, GetParam().endless);
  EXPECT_FALSE(e.impact.nothing()) << e.text;
}

TEST_P(Loops, ThatStillEndAreNone) {
  if (GetParam().other.empty()) return;  // not seen to end
  const TwoVersions e = change(GetParam().first, GetParam().other);
  EXPECT_TRUE(e.impact.nothing()) << e.text;
}

INSTANTIATE_TEST_SUITE_P(
    All, Loops,
    testing::Values(
        Bounds{"CharUpTo", "for (unsigned char i = 0; i <= @; i++) k++;", "200", "254", "255"},
        Bounds{"CharBelow", "for (unsigned char i = 0; i < @; i++) k++;", "200", "255", "256"},
        Bounds{"CharBelowFar", "for (unsigned char i = 0; i < @; i++) k++;", "200", "255", "70000"},
        Bounds{"CharUntil", "for (unsigned char i = 0; i != @; i++) k++;", "200", "255", "300"},
        Bounds{"CharUntilNegative", "for (unsigned char i = 0; i != @; i++) k++;", "200", "1", "-1"},
        Bounds{"CharDownTo", "for (unsigned char i = 10; i >= @; i--) k++;", "2", "1", "0"},
        Bounds{"CharDownBelowZero", "for (unsigned char i = 10; i > @; i--) k++;", "2", "0", "-1"},
        Bounds{"CharDownUntil", "for (unsigned char i = 10; i != @; i--) k++;", "2", "0", "-1"},
        Bounds{"CharLeft", "unsigned char i = 0; for (;;) { i++; if (i > @) break; k++; }", "200", "254", "255"},
        Bounds{"CharLeftAt", "unsigned char i = 0; for (;;) { i++; if (i >= @) break; k++; }", "200", "255", "256"},
        Bounds{"CharLeftDown", "unsigned char i = 9; for (;;) { i--; if (i < @) break; k++; }", "5", "1", "0"},
        Bounds{"CharWhile", "unsigned char i = 0; while (i <= @) { k++; i = i + 1; }", "200", "", "255"},
        Bounds{"CharDo", "unsigned char i = 0; do k++; while (++i < @);", "200", "255", "256"},
        Bounds{"CharAgainstLong", "for (unsigned char i = 0; i < @; i++) k++;", "200L", "255L", "256L"},
        Bounds{"ShortUpTo", "for (unsigned short i = 0; i <= @; i++) k++;", "300", "65534", "65535"},
        Bounds{"IntAgainstLong", "for (unsigned i = 0; i < @; i++) k++;", "200ull", "3000000ull", "4294967297ull"},
        Bounds{"SignedShort", "for (short i = 0; i < @; i++) k++;", "300", "", "40000"},
        Bounds{"SignedChar", "for (signed char i = 0; i <= @; i++) k++;", "100", "", "127"},
        Bounds{"CastToChar", "for (int i = 0; (unsigned char)i <= @; i++) k++;", "200", "", "255"},
        Bounds{"CastToSignedChar", "for (int i = 0; (signed char)i < @; i++) k++;", "100", "", "128"},
        Bounds{"BitField", "struct { unsigned n : 4; } i = {0}; for (; i.n < @; i.n++) k++;", "9", "", "16"},
        Bounds{"Global", "for (g = 0; g <= @; g++) k++;", "200", "", "255"},
        Bounds{"InSteps", "for (unsigned char i = 0; i < @; i += 3) k++;", "100", "", "255"},
        Bounds{"Argument", "k += below(@);", "200", "", "300"},
        Bounds{"ArgumentUntil", "k += until(@);", "200", "", "70000"},
        Bounds{"LocalBound", "int n = @; for (unsigned char i = 0; i < n; i++) k++;", "200", "", "300"},
        Bounds{"Bool", "for (_Bool i = 0; i < @; i++) k++;", "1", "", "2"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace heddle::edit
