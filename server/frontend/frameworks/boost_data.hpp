// Boost.Test's data-driven cases: each is one target, which runs its body with every sample.
#pragma once
#pragma GCC system_header
#include <array>
#include <initializer_list>
#include <list>
#include <tuple>
#include <vector>

#include "heddle/boost_test.hpp"
#include "heddle/each.hpp"

namespace heddle_boost {

// A sample has a value for each parameter. `one`: what a single value makes; beside others it is repeated.
template <typename... Values>
struct Data {
  std::vector<std::tuple<Values...>> samples;
  bool one = false;
};
template <typename... Values>
std::tuple<Values...> sample_of(const std::tuple<Values...>& values, Rank<1>) {
  return values;
}
template <typename Value>
std::tuple<Value> sample_of(const Value& value, Rank<0>) {
  return std::tuple<Value>(value);
}
template <typename... Values>
Data<Values...> data_of(const std::tuple<Values...>*) {
  return Data<Values...>();
}
template <typename Range, typename Item>
auto data_of_range(const Range& range, const Item& first)
    -> decltype(data_of(static_cast<decltype(sample_of(first, Rank<1>()))*>(nullptr))) {
  decltype(data_of(static_cast<decltype(sample_of(first, Rank<1>()))*>(nullptr))) made;
  for (const auto& item : range) made.samples.push_back(sample_of(item, Rank<1>()));
  return made;
}

template <typename... Values>
Data<Values...> make(const Data<Values...>& data, Rank<3>) {
  return data;
}
template <typename Value>
typename std::enable_if<IsText<Value>::value, Data<const char*>>::type make(const Value& text, Rank<2>) {
  Data<const char*> made;
  made.samples.push_back(std::tuple<const char*>(text));
  made.one = true;
  return made;
}
template <typename Range>
auto make(const Range& range, Rank<1>) -> decltype(data_of_range(range, *std::begin(range))) {
  return data_of_range(range, *std::begin(range));
}
template <typename Value>
Data<Value> make(const Value& value, Rank<0>) {
  Data<Value> made;
  made.samples.push_back(std::tuple<Value>(value));
  made.one = true;
  return made;
}

// Each sample of `a` with each of `b`; the nth of `a` with the nth of `b`; those of `a`, then those of `b`.
template <typename... A, typename... B>
Data<A..., B...> product(const Data<A...>& a, const Data<B...>& b) {
  Data<A..., B...> made;
  for (const auto& of_a : a.samples)
    for (const auto& of_b : b.samples) made.samples.push_back(std::tuple_cat(of_a, of_b));
  return made;
}
template <typename... A, typename... B>
Data<A..., B...> zip(const Data<A...>& a, const Data<B...>& b) {
  Data<A..., B...> made;
  const size_t of_a = a.samples.size(), of_b = b.samples.size();
  if (of_a != of_b && !a.one && !b.one) throw std::logic_error("datasets of different sizes");
  made.one = a.one && b.one;
  for (size_t n = 0; n < of_a || n < of_b; ++n)
    made.samples.push_back(std::tuple_cat(a.samples[a.one ? 0 : n], b.samples[b.one ? 0 : n]));
  return made;
}
template <typename... Values>
Data<Values...> joined(Data<Values...> a, const Data<Values...>& b) {
  for (const auto& sample : b.samples) a.samples.push_back(sample);
  a.one = false;
  return a;
}
// One of the two has to be a dataset.
#define HEDDLE_OF_DATA(op, function)                                                                       \
  template <typename... A, typename B>                                                                     \
  auto operator op(const Data<A...>& a, const B& b) -> decltype(function(a, make(b, Rank<3>()))) {         \
    return function(a, make(b, Rank<3>()));                                                                \
  }                                                                                                        \
  template <typename A, typename... B>                                                                     \
  auto operator op(const A& a, const Data<B...>& b) -> decltype(function(make(a, Rank<2>()), b)) {         \
    return function(make(a, Rank<2>()), b);                                                                \
  }                                                                                                        \
  template <typename... A, typename... B>                                                                  \
  auto operator op(const Data<A...>& a, const Data<B...>& b) -> decltype(function(a, b)) {                 \
    return function(a, b);                                                                                 \
  }
HEDDLE_OF_DATA(*, product)
HEDDLE_OF_DATA(^, zip)
HEDDLE_OF_DATA(+, joined)
#undef HEDDLE_OF_DATA

template <size_t... each>
struct Places {};
template <size_t count, size_t... each>
struct MakePlaces : MakePlaces<count - 1, count - 1, each...> {};
template <size_t... each>
struct MakePlaces<0, each...> {
  typedef Places<each...> type;
};
template <typename Case, typename Sample, size_t... each>
void run_sample(Case& test, const Sample& sample, Places<each...>) {
  test.test_method(std::get<each>(sample)...);
}
template <typename Case, typename... Values>
void run_data(const Data<Values...>& data) {
  for (const std::tuple<Values...>& sample : data.samples)
    run_case<Case>([&](Case& test) { run_sample(test, sample, typename MakePlaces<sizeof...(Values)>::type()); });
}

}  // namespace heddle_boost

namespace boost {
namespace unit_test {
namespace data {
template <typename Value>
auto make(const Value& value) -> decltype(heddle_boost::make(value, heddle_boost::Rank<3>())) {
  return heddle_boost::make(value, heddle_boost::Rank<3>());
}
template <typename Value>
heddle_boost::Data<Value> make(std::initializer_list<Value> values) {
  return heddle_boost::make(std::vector<Value>(values), heddle_boost::Rank<3>());
}
template <typename Value>
heddle_boost::Data<Value> xrange(Value from, Value to, Value step) {
  heddle_boost::Data<Value> made;
  for (Value value = from; step < Value(0) ? to < value : value < to; value = static_cast<Value>(value + step))
    made.samples.push_back(std::tuple<Value>(value));
  return made;
}
template <typename Value>
heddle_boost::Data<Value> xrange(Value from, Value to) {
  return xrange(from, to, static_cast<Value>(1));
}
template <typename Value>
heddle_boost::Data<Value> xrange(Value to) {
  return xrange(static_cast<Value>(0), to);
}
namespace monomorphic {
using data::make;
}
}  // namespace data
}  // namespace unit_test
}  // namespace boost

#define BOOST_DATA_TEST_CASE(name, ...) BOOST_DATA_TEST_CASE_F(BOOST_AUTO_TEST_CASE_FIXTURE, name, __VA_ARGS__)
#define BOOST_DATA_TEST_CASE_F(fixture, name, samples, ...) \
  HEDDLE_BOOST_DATA(fixture, name, samples, HEDDLE_BOOST_PARAMETERS_##__VA_OPT__(1)(__VA_ARGS__))
#define HEDDLE_BOOST_PARAMETERS_(...) sample
#define HEDDLE_BOOST_PARAMETERS_1(...) __VA_ARGS__
#define HEDDLE_BOOST_DATA(fixture, name, samples, ...) HEDDLE_BOOST_DATA_(fixture, name, samples, __VA_ARGS__)
#define HEDDLE_BOOST_DATA_(fixture, name, samples, first, ...)                                               \
  struct name : public fixture {                                                                          \
    template <typename TypeOf_##first HEDDLE_EACH(HEDDLE_BOOST_TYPE, , __VA_ARGS__)>                      \
    void test_method(const TypeOf_##first& first HEDDLE_EACH(HEDDLE_BOOST_PARAMETER, , __VA_ARGS__));     \
    static ::heddle_boost::Decorators heddle_decorators() {                                               \
      return decltype(heddle_decorated(::heddle_boost::Number<__COUNTER__>()))::with(                     \
          ::heddle_boost::Described());                                                                   \
    }                                                                                                     \
    __attribute__((used)) static void heddle_boost_case() {                                               \
      ::heddle_boost::run_data<name>(::boost::unit_test::data::make(samples));                               \
    }                                                                                                     \
  };                                                                                                      \
  template <typename TypeOf_##first HEDDLE_EACH(HEDDLE_BOOST_TYPE, , __VA_ARGS__)>                        \
  void name::test_method(const TypeOf_##first& first HEDDLE_EACH(HEDDLE_BOOST_PARAMETER, , __VA_ARGS__))
#define HEDDLE_BOOST_TYPE(context, parameter) , typename TypeOf_##parameter
#define HEDDLE_BOOST_PARAMETER(context, parameter) , const TypeOf_##parameter& parameter
