// Members reached through pointers to members inside library code: the step from the object is a number of bytes that
// the library does not know.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <list>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

struct Person {
  std::string name;
  int age;
  short floor;
  bool present;
  long salary;
  Person* chief = nullptr;
};

static void print(const char* what, const std::list<Person>& people) {
  std::printf("%s:", what);
  for (const Person& p : people) std::printf(" %s", p.name.c_str());
  std::printf("\n");
}

int main() {
  std::list<Person> people{{"Ada", 36, 2, true, 900}, {"Bob", 29, 7, false, 400}, {"Cy", 64, 1, true, 700}};
  people.front().chief = &people.back();
  std::vector<Person> row(people.begin(), people.end());
  std::ranges::sort(row, {}, &Person::age);
  for (const Person& p : row) std::printf("%s %d\n", p.name.c_str(), p.age);
  std::ranges::sort(row, std::ranges::greater(), &Person::salary);
  std::printf("%s %s\n", row.front().name.c_str(), row.back().name.c_str());
  std::printf("%s\n", std::ranges::max_element(people, {}, &Person::floor)->name.c_str());
  std::printf("%td present\n", std::ranges::count(people, true, &Person::present));
  const auto age = std::mem_fn(&Person::age);
  const auto owned = std::make_unique<Person>(Person{"Di", 50, 3, true, 1200});
  std::printf("%d %d %ld\n", age(people.back()), age(owned), std::invoke(&Person::salary, *owned));
  std::invoke(&Person::age, *owned) = 51;
  std::invoke(&Person::present, owned) = false;
  std::printf("%d %d\n", owned->age, owned->present);
  Person* const chief = std::invoke(&Person::chief, people.front());
  chief->age++;
  std::printf("%s %d\n", chief->name.c_str(), people.back().age);
  people.sort([](const Person& a, const Person& b) {
    return std::invoke(&Person::salary, a) < std::invoke(&Person::salary, b);
  });
  print("by salary", people);
  for (const int a : people | std::views::transform(&Person::age)) std::printf("%d ", a);
  std::printf("\n");
}
