// Matrices and graphs: templates with expression checks, exact fractions, shortest ways, flows, matchings, components,
// spanning trees, colourings, permutations; every result is checked in a second way.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

void check(bool condition, const char* what) {
  if (!condition) throw std::logic_error(std::string("wrong: ") + what);
}

// --- numbers --------------------------------------------------------------------------------------------------------

class Fraction {
 public:
  constexpr Fraction(std::int64_t over = 0, std::int64_t under = 1) : over_(over), under_(under) {
    if (under_ == 0) throw std::domain_error("a fraction over zero");
    const std::int64_t common = std::gcd(over_, under_);
    over_ /= common;
    under_ /= common;
    if (under_ < 0) over_ = -over_, under_ = -under_;
  }
  friend constexpr Fraction operator+(Fraction a, Fraction b) { return {a.over_ * b.under_ + b.over_ * a.under_, a.under_ * b.under_}; }
  friend constexpr Fraction operator-(Fraction a, Fraction b) { return a + Fraction(-b.over_, b.under_); }
  friend constexpr Fraction operator*(Fraction a, Fraction b) { return {a.over_ * b.over_, a.under_ * b.under_}; }
  friend constexpr Fraction operator/(Fraction a, Fraction b) { return a * Fraction(b.under_, b.over_); }
  Fraction& operator+=(Fraction b) { return *this = *this + b; }
  Fraction& operator-=(Fraction b) { return *this = *this - b; }
  friend constexpr bool operator==(Fraction a, Fraction b) = default;
  friend std::ostream& operator<<(std::ostream& out, Fraction f) {
    std::ostringstream text;
    text << f.over_;
    if (f.under_ != 1) text << '/' << f.under_;
    return out << text.str();
  }

 private:
  std::int64_t over_, under_;
};
static_assert(Fraction(2, 4) + Fraction(1, 3) == Fraction(5, 6));

template <std::uint32_t P>
struct Modular {
  std::uint32_t value = 0;
  constexpr Modular(std::int64_t v = 0) : value(static_cast<std::uint32_t>((v % P + P) % P)) {}
  friend constexpr Modular operator+(Modular a, Modular b) { return std::int64_t{a.value} + b.value; }
  friend constexpr Modular operator-(Modular a, Modular b) { return std::int64_t{a.value} - b.value; }
  friend constexpr Modular operator*(Modular a, Modular b) { return static_cast<std::int64_t>(std::uint64_t{a.value} * b.value % P); }
  friend constexpr Modular operator/(Modular a, Modular b) { return a * b.power(P - 2); }
  Modular& operator+=(Modular b) { return *this = *this + b; }
  Modular& operator-=(Modular b) { return *this = *this - b; }
  constexpr Modular power(std::uint32_t n) const {
    Modular result = 1, base = *this;
    for (; n != 0; n >>= 1, base = base * base)
      if (n & 1) result = result * base;
    return result;
  }
  friend constexpr bool operator==(Modular a, Modular b) = default;
  friend std::ostream& operator<<(std::ostream& out, Modular m) { return out << m.value; }
};

template <typename T>
concept Field = requires(T a, T b) {
  { a + b } -> std::convertible_to<T>;
  { a * b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { a == b } -> std::convertible_to<bool>;
};

template <Field T>
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), cells_(rows * columns, T(0)) {}
  Matrix(std::initializer_list<std::initializer_list<T>> rows) : Matrix(rows.size(), rows.begin()->size()) {
    auto to = cells_.begin();
    for (const auto& row : rows) to = std::copy(row.begin(), row.end(), to);
  }
  static Matrix identity(std::size_t n) {
    Matrix result(n, n);
    for (std::size_t i = 0; i < n; ++i) result(i, i) = T(1);
    return result;
  }
  T& operator()(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
  const T& operator()(std::size_t row, std::size_t column) const { return cells_.at(row * columns_ + column); }
  std::size_t rows() const { return rows_; }
  friend bool operator==(const Matrix&, const Matrix&) = default;
  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    if (a.columns_ != b.rows_) throw std::invalid_argument("matrices that do not fit");
    Matrix result(a.rows_, b.columns_);
    for (std::size_t i = 0; i < a.rows_; ++i)
      for (std::size_t k = 0; k < a.columns_; ++k)
        for (std::size_t j = 0; j < b.columns_; ++j) result(i, j) += a(i, k) * b(k, j);
    return result;
  }
  Matrix power(unsigned n) const {
    Matrix result = identity(rows_), base = *this;
    for (; n != 0; n >>= 1) {
      if (n & 1) result = result * base;
      base = base * base;
    }
    return result;
  }
  // Gauss and Jordan; nothing if there is no inverse.
  std::optional<Matrix> inverse() const {
    Matrix a = *this, result = identity(rows_);
    for (std::size_t c = 0; c < rows_; ++c) {
      std::size_t pivot = c;
      while (pivot < rows_ && a(pivot, c) == T(0)) ++pivot;
      if (pivot == rows_) return std::nullopt;
      for (std::size_t j = 0; j < rows_; ++j) {
        std::swap(a(pivot, j), a(c, j));
        std::swap(result(pivot, j), result(c, j));
      }
      const T factor = T(1) / a(c, c);
      for (std::size_t j = 0; j < rows_; ++j) a(c, j) = a(c, j) * factor, result(c, j) = result(c, j) * factor;
      for (std::size_t i = 0; i < rows_; ++i) {
        if (i == c) continue;
        const T times = a(i, c);
        for (std::size_t j = 0; j < rows_; ++j) a(i, j) -= times * a(c, j), result(i, j) -= times * result(c, j);
      }
    }
    return result;
  }
  T determinant() const {  // over all permutations
    std::vector<std::size_t> order(rows_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    T sum(0);
    do {
      T product(1);
      int swaps = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        product = product * (*this)(i, order[i]);
        for (std::size_t k = i + 1; k < rows_; ++k) swaps += order[k] < order[i];
      }
      if (swaps % 2 == 0) sum += product;
      else sum -= product;
    } while (std::next_permutation(order.begin(), order.end()));
    return sum;
  }
  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) {
    for (std::size_t i = 0; i < m.rows_; ++i) {
      for (std::size_t j = 0; j < m.columns_; ++j) out << std::setw(7) << m(i, j);
      out << '\n';
    }
    return out;
  }

 private:
  std::size_t rows_, columns_;
  std::vector<T> cells_;
};

// --- graphs ---------------------------------------------------------------------------------------------------------

class Graph {
 public:
  struct Edge { int to, weight; };
  explicit Graph(int nodes) : edges_(static_cast<std::size_t>(nodes)) {}
  int nodes() const { return static_cast<int>(edges_.size()); }
  void add(int from, int to, int weight) { edges_.at(static_cast<std::size_t>(from)).push_back({to, weight}); }
  void both(int from, int to, int weight) { add(from, to, weight), add(to, from, weight); }
  const std::vector<Edge>& from(int node) const { return edges_[static_cast<std::size_t>(node)]; }
  template <typename F> void each(F f) const {
    for (int n = 0; n < nodes(); ++n)
      for (const auto& [to, weight] : from(n)) f(n, to, weight);
  }

 private:
  std::vector<std::vector<Edge>> edges_;
};
constexpr int kFar = std::numeric_limits<int>::max() / 2;

std::pair<std::vector<int>, std::vector<int>> dijkstra(const Graph& graph, int start) {
  std::vector<int> far(static_cast<std::size_t>(graph.nodes()), kFar), before(far.size(), -1);
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> queue;
  queue.emplace(far[static_cast<std::size_t>(start)] = 0, start);
  while (!queue.empty()) {
    const auto [distance, node] = queue.top();
    queue.pop();
    if (distance > far[static_cast<std::size_t>(node)]) continue;
    for (const auto& [to, weight] : graph.from(node))
      if (distance + weight < far[static_cast<std::size_t>(to)]) {
        queue.emplace(far[static_cast<std::size_t>(to)] = distance + weight, to);
        before[static_cast<std::size_t>(to)] = node;
      }
  }
  return {far, before};
}

std::vector<std::vector<int>> all_distances(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.nodes());
  std::vector<std::vector<int>> d(n, std::vector<int>(n, kFar));
  for (std::size_t i = 0; i < n; ++i) d[i][i] = 0;
  graph.each([&](int a, int b, int w) { auto& cell = d[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; cell = std::min(cell, w); });
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

class UnionFind {
 public:
  explicit UnionFind(int n) : parent_(static_cast<std::size_t>(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int n) {
    int& parent = parent_[static_cast<std::size_t>(n)];
    return parent == n ? n : parent = find(parent);
  }
  bool join(int a, int b) {
    a = find(a), b = find(b);
    parent_[static_cast<std::size_t>(a)] = b;
    return a != b;
  }

 private:
  std::vector<int> parent_;
};

int spanning_tree(const Graph& graph) {
  std::vector<std::tuple<int, int, int>> edges;
  graph.each([&](int a, int b, int w) { if (a < b) edges.emplace_back(w, a, b); });
  std::sort(edges.begin(), edges.end());
  UnionFind sets(graph.nodes());
  return std::accumulate(edges.begin(), edges.end(), 0, [&](int sum, const auto& edge) {
    const auto& [weight, a, b] = edge;
    return sets.join(a, b) ? sum + weight : sum;
  });
}

std::vector<std::set<int>> components(const Graph& graph) {  // Tarjan
  std::vector<int> number(static_cast<std::size_t>(graph.nodes()), 0), low(number);
  std::stack<int, std::vector<int>> stack;
  std::unordered_set<int> on_stack;
  std::vector<std::set<int>> result;
  int next = 0;
  const std::function<void(int)> visit = [&](int v) {
    const auto at = static_cast<std::size_t>(v);
    number[at] = low[at] = ++next;
    stack.push(v);
    on_stack.insert(v);
    for (const auto& [to, weight] : graph.from(v)) {
      const auto w = static_cast<std::size_t>(to);
      if (number[w] == 0) visit(to), low[at] = std::min(low[at], low[w]);
      else if (on_stack.contains(to)) low[at] = std::min(low[at], number[w]);
    }
    if (low[at] != number[at]) return;
    std::set<int>& component = result.emplace_back();
    for (int w = -1; w != v; on_stack.erase(w)) {
      w = stack.top();
      stack.pop();
      component.insert(w);
    }
  };
  for (int v = 0; v < graph.nodes(); ++v)
    if (number[static_cast<std::size_t>(v)] == 0) visit(v);
  return result;
}

int flow(Graph graph, int source, int sink) {  // Edmonds and Karp on a matrix of what is left
  const auto n = static_cast<std::size_t>(graph.nodes());
  std::vector<std::vector<int>> left(n, std::vector<int>(n));
  graph.each([&](int a, int b, int w) { left[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] += w; });
  for (int total = 0;;) {
    std::vector<std::size_t> before(n, n);
    std::deque<std::size_t> queue{static_cast<std::size_t>(source)};
    while (!queue.empty() && before[static_cast<std::size_t>(sink)] == n) {
      const std::size_t at = queue.front();
      queue.pop_front();
      for (std::size_t to = 0; to < n; ++to)
        if (left[at][to] > 0 && before[to] == n && to != static_cast<std::size_t>(source)) before[to] = at, queue.push_back(to);
    }
    if (before[static_cast<std::size_t>(sink)] == n) return total;
    int most = kFar;
    for (std::size_t at = static_cast<std::size_t>(sink); at != static_cast<std::size_t>(source); at = before[at]) most = std::min(most, left[before[at]][at]);
    for (std::size_t at = static_cast<std::size_t>(sink); at != static_cast<std::size_t>(source); at = before[at])
      left[before[at]][at] -= most, left[at][before[at]] += most;
    total += most;
  }
}

int smallest_cut(const Graph& graph, int source, int sink) {  // all sets of nodes
  int best = kFar;
  for (unsigned set = 0; set < 1u << graph.nodes(); ++set) {
    const std::bitset<16> with(set);
    if (!with[static_cast<std::size_t>(source)] || with[static_cast<std::size_t>(sink)]) continue;
    int sum = 0;
    graph.each([&](int a, int b, int w) { if (with[static_cast<std::size_t>(a)] && !with[static_cast<std::size_t>(b)]) sum += w; });
    best = std::min(best, sum);
  }
  return best;
}

std::vector<std::complex<double>> fourier(std::vector<std::complex<double>> v, bool back) {
  const std::size_t n = v.size();
  if (n == 1) return v;
  std::vector<std::complex<double>> even, odd;
  for (std::size_t k = 0; k < n; ++k) (k % 2 ? odd : even).push_back(v[k]);
  even = fourier(std::move(even), back), odd = fourier(std::move(odd), back);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const auto turn = std::polar(1.0, (back ? 2 : -2) * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n)) * odd[k];
    v[k] = even[k] + turn, v[k + n / 2] = even[k] - turn;
  }
  return v;
}

int main() try {
  const Matrix<Fraction> a{{2, 1, 3}, {0, {1, 2}, 5}, {7, 1, 1}};
  const auto inverse = a.inverse();
  check(inverse && a * *inverse == Matrix<Fraction>::identity(3), "inverse");
  std::cout << a << *inverse << "determinant " << a.determinant() << ", singular: " << !Matrix<Fraction>{{1, 2}, {2, 4}}.inverse().has_value() << '\n';
  using M = Modular<1'000'000'007>;
  const Matrix<M> fibonacci{{1, 1}, {1, 0}};
  std::cout << "F(1000) mod p = " << fibonacci.power(1000)(0, 1) << ", 1/3 = " << M(1) / M(3) << '\n';
  check((M(1) / M(3)) * M(3) == M(1), "modular division");

  Graph roads(9);
  std::uint32_t seed = 12345;
  const auto random = [&](std::uint32_t limit) { return static_cast<int>((seed = seed * 1664525 + 1013904223) >> 16) % static_cast<int>(limit); };
  for (int n = 0; n < 20; ++n) roads.both(random(9), random(9), 1 + random(20));
  const auto table = all_distances(roads);
  for (int start = 0; start < roads.nodes(); ++start) check(dijkstra(roads, start).first == table[static_cast<std::size_t>(start)], "distances");
  const auto [far, before] = dijkstra(roads, 0);
  std::list<int> way;
  for (int at = 8; at != -1; at = before[static_cast<std::size_t>(at)]) way.push_front(at);
  std::cout << "0 to 8: " << far[8] << " by";
  std::copy(way.begin(), way.end(), std::ostream_iterator<int>(std::cout << ' ', " "));
  std::cout << "\nspanning tree " << spanning_tree(roads) << ", flow " << flow(roads, 0, 8) << '\n';
  check(flow(roads, 0, 8) == smallest_cut(roads, 0, 8), "flow and cut");
  Graph one_way(10);
  for (int n = 0; n < 14; ++n) one_way.add(random(10), random(10), 1);
  const auto reach = all_distances(one_way);
  for (const auto& component : components(one_way)) {
    std::cout << '{';
    for (const int node : component) {
      std::cout << node << (node == *component.rbegin() ? "} " : ",");
      for (const int other : component) check(reach[static_cast<std::size_t>(node)][static_cast<std::size_t>(other)] < kFar, "component");
    }
  }
  std::vector<std::complex<double>> wave;
  for (int k = 0; k < 8; ++k) wave.emplace_back(k % 3, k % 2);
  const auto there = fourier(wave, false), back = fourier(there, true);
  for (std::size_t k = 0; k < wave.size(); ++k) check(std::abs(back[k] / 8.0 - wave[k]) < 1e-9, "fourier");
  std::cout << "\n" << std::fixed << std::setprecision(3) << there[1] << ' ' << std::popcount(0xf0f0u) << std::bit_width(100u) << std::countr_zero(40u) << '\n';
  std::map<std::string, std::unique_ptr<Graph>> kept;
  kept.try_emplace("roads", std::make_unique<Graph>(roads)).first->second->add(0, 99, 1);
  auto node = kept.extract("roads");
  std::cout << node.key() << ' ' << kept.size() << '\n';
  Matrix<Fraction>(2, 3) * Matrix<Fraction>(2, 3);
} catch (const std::invalid_argument& error) {
  std::cout << error.what() << '\n';
  return 3;
}
