// VERDICT: clear
// Values of the library that have padding or empty parts are copied, compared, given and returned.
#include <array>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

struct Small {
  int number;
  char letter;
};
struct Maybe {
  bool set = false;
  union {
    int number;
    char letter;
  };
  Maybe() {}
};

using Choice = std::variant<char, int, double>;

static std::optional<int> none() { return {}; }
static std::optional<Small> small(bool there) {
  return there ? std::optional<Small>(Small{1, 2}) : std::nullopt;
}
static Choice choice(int kind) { return kind == 0 ? Choice('c') : kind == 1 ? Choice(3) : Choice(2.0); }
static std::tuple<char, short, int> triple() { return {1, 2, 3}; }
static Maybe maybe(bool there) {
  Maybe result;
  if (there) result.set = true, result.number = 3;
  return result;
}
static int of(std::optional<int> o) { return o ? *o : 0; }
static int of(std::optional<Small> o) { return o.has_value() ? o->number : 7; }
static int of(Maybe m) { return m.set ? m.number : 0; }
static int of(Choice c) {
  return std::visit([](auto value) { return static_cast<int>(value); }, c);
}
static int of(std::string_view text) { return text.empty() ? 1 : text[0]; }

static int values() {
  int count = of(none()) + of(small(true)) + of(small(false)) + of(maybe(true)) + of(maybe(false));
  auto empty = none(), other = empty;
  count += empty == other;
  other = 1;
  std::swap(empty, other);
  count += empty > other;
  for (int kind = 0; kind < 3; ++kind) count += of(choice(kind)) > 1;
  count += choice(0) == choice(0) && choice(1) != choice(2);
  count += triple() < std::make_tuple<char, short, int>(1, 3, 1);
  std::complex<float> number(1, 2);
  count += (number * number).real() < 0;
  return count;
}

static int containers() {
  std::string text = "abc", copy = text, moved = std::move(copy);
  int count = text == moved;
  std::swap(text, moved);
  count += of(text) == 'a' && of("") == 1;
  std::function<int(int)> adds = [&](int n) { return n + count; }, nothing;
  auto same = adds;
  count += !nothing && same(1) != 0;
  std::map<int, std::optional<char>> map;
  map[2] = 'x';
  count += !map[1] && map[2] == 'x';
  std::vector<Small> vector{{1, 2}};
  vector.insert(vector.begin(), Small{5, 6});
  count += vector[1].letter == 2;
  std::array<Small, 2> array;
  array[0] = {1, 2};
  array[1] = array[0];
  count += array[1].number;
  auto shared = std::make_shared<Small>(Small{1, 2});
  std::unique_ptr<Small> unique(new Small);
  unique->number = 1;
  return count + shared->number + unique->number;
}

int main() {
  int first = 0, second = 0;
  std::thread a([&] { first = values(); }), b([&] { second = containers(); });
  a.join();
  b.join();
  return first + second == 0;
}
