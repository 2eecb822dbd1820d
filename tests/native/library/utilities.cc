// optional, variant, any, tuple, pair, function, bind, reference_wrapper, exchange, integer_sequence.
#include <any>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <typeindex>
#include <utility>
#include <variant>
#include <vector>

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

struct Tracer {
  static inline int alive = 0;
  Tracer() { ++alive; }
  Tracer(const Tracer&) { ++alive; }
  ~Tracer() { --alive; }
};

static int add(int a, int b) { return a + b; }
struct Multiplier {
  int factor;
  int times(int n) const { return factor * n; }
};

template <size_t... N>
static int sum_of(std::index_sequence<N...>) {
  return (0 + ... + int(N));
}

int main() {
  std::optional<std::string> name;
  std::printf("%d %s\n", name.has_value(), name.value_or("none").c_str());
  name = "set";
  name->append("!");
  std::printf("%s %zu\n", name->c_str(), name.value().size());
  name.reset();
  try {
    (void)name.value();
  } catch (const std::bad_optional_access& error) {
    std::printf("%s\n", error.what());
  }

  using Value = std::variant<int, double, std::string, std::vector<int>>;
  std::vector<Value> values{1, 2.5, std::string("text"), std::vector<int>{1, 2, 3}};
  for (const Value& value : values)
    std::visit(Overloaded{[](int n) { std::printf("int %d\n", n); }, [](double d) { std::printf("double %g\n", d); },
                          [](const std::string& s) { std::printf("string %s\n", s.c_str()); },
                          [](const std::vector<int>& v) { std::printf("vector of %zu\n", v.size()); }},
               value);
  values[0] = std::string("now a string");
  std::printf("%zu %d %d\n", values[0].index(), std::holds_alternative<int>(values[0]), std::get_if<int>(&values[1]) == nullptr);
  try {
    (void)std::get<int>(values[0]);
  } catch (const std::bad_variant_access& error) {
    std::printf("%s\n", error.what());
  }
  const int both = std::visit([](auto&& a, auto&& b) { return int(sizeof(a) > 4) * 10 + int(sizeof(b) > 4); }, values[1], values[2]);
  std::printf("%d\n", both);

  std::any any = 42;
  std::printf("%d %d\n", std::any_cast<int>(any), any.type() == typeid(int));
  any = std::string("held");
  std::printf("%s\n", std::any_cast<std::string&>(any).c_str());
  try {
    (void)std::any_cast<double>(any);
  } catch (const std::bad_any_cast& error) {
    std::printf("%s\n", error.what());
  }
  any = Tracer();
  std::printf("%d", Tracer::alive);
  any.reset();
  std::printf("%d\n", Tracer::alive);

  auto tuple = std::make_tuple(1, std::string("two"), 3.0);
  auto& [one, two, three] = tuple;
  one = 10;
  std::printf("%d %s %g %zu\n", std::get<int>(tuple), two.c_str(), three, std::tuple_size_v<decltype(tuple)>);
  std::printf("%d\n", std::apply([](int a, const std::string& b, double c) { return a + int(b.size()) + int(c); }, tuple));
  int a = 1, b = 2;
  std::tie(a, b) = std::make_pair(b, a);
  std::printf("%d%d %d\n", a, b, std::make_tuple(1, 2) < std::make_tuple(1, 3));
  auto joined = std::tuple_cat(std::make_tuple(1), std::make_pair(2, 'x'));
  std::printf("%c %d\n", std::get<2>(joined), sum_of(std::make_index_sequence<5>()));

  std::function<int(int, int)> call = add;
  std::printf("%d", call(2, 3));
  call = [offset = 10](int x, int y) { return offset + x * y; };
  std::printf(" %d", call(2, 3));
  Multiplier by{7};
  std::function<int(const Multiplier&, int)> member = &Multiplier::times;
  std::printf(" %d", member(by, 6));
  call = std::bind(std::minus<>(), std::placeholders::_2, std::placeholders::_1);
  std::printf(" %d %d\n", call(2, 3), bool(std::function<void()>()));
  try {
    std::function<void()>()();
  } catch (const std::bad_function_call& error) {
    std::printf("%s\n", error.what());
  }
  std::map<std::string, std::function<double(double)>> table{{"half", [](double x) { return x / 2; }}, {"square", [](double x) { return x * x; }}};
  for (auto& [key, function] : table) std::printf("%s %g\n", key.c_str(), function(3));
  std::vector<std::reference_wrapper<int>> references{a, b};
  for (int& reference : references) reference += 5;
  std::printf("%d %d %d\n", a, b, std::exchange(a, 100));
  std::printf("%d\n", std::invoke(&Multiplier::factor, by) + std::mem_fn(&Multiplier::times)(by, 2));
  auto not_add = std::not_fn([](int n) { return n > 3; });
  std::printf("%d\n", not_add(2));
  std::map<std::type_index, const char*> types{{typeid(int), "int"}, {typeid(double), "double"}};
  std::printf("%s\n", types[typeid(1.0)]);
}
