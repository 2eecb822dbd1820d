// A discrete simulation of a small harbour: events in a queue, own random numbers and those of the library, clocks and
// durations, statistics, histograms, states as variants, policies as templates and as virtual functions.
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <ctime>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <memory_resource>
#include <numbers>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

using namespace std::chrono_literals;
using Minutes = std::chrono::duration<std::int64_t, std::ratio<60>>;

// A clock of the simulation's own.
struct HarbourClock {
  using duration = std::chrono::seconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<HarbourClock>;
  static constexpr bool is_steady = true;
  static inline time_point current{};
  static time_point now() { return current; }
};
using Time = HarbourClock::time_point;

std::string text(Time time) {
  const std::chrono::hh_mm_ss parts(time.time_since_epoch());
  std::ostringstream out;
  out << std::setfill('0') << std::setw(2) << parts.hours().count() << ':' << std::setw(2) << parts.minutes().count()
      << ':' << std::setw(2) << parts.seconds().count();
  return out.str();
}

template <typename Generator>
concept Random = std::uniform_random_bit_generator<Generator>;

class Xorshift {
 public:
  using result_type = std::uint32_t;
  explicit Xorshift(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffu; }
  result_type operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<result_type>(state_ >> 32);
  }

 private:
  std::uint64_t state_;
};
static_assert(Random<Xorshift> && Random<std::mt19937_64> && !Random<int>);

// Integers only, so that every machine agrees.
template <Random Generator>
std::int64_t below(Generator& generator, std::int64_t limit) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(generator()) % static_cast<std::uint64_t>(limit));
}

class Statistics {
 public:
  void add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
    values_.insert(value);
  }
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const { return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1)); }
  double quantile(double q) const {
    if (values_.empty()) return 0;
    auto at = values_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(q * static_cast<double>(values_.size() - 1)));
    return *at;
  }
  friend std::ostream& operator<<(std::ostream& out, const Statistics& s) {
    return out << std::fixed << std::setprecision(1) << std::setw(4) << s.count_ << " mean " << s.mean_ << " deviation "
               << s.deviation() << " median " << s.quantile(0.5) << " 90% " << s.quantile(0.9);
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0;
  std::multiset<double> values_;
};

struct Ship {
  enum class Kind : std::uint8_t { Ferry, Freighter, Tanker };
  int number = 0;
  Kind kind = Kind::Ferry;
  Time arrived{};
  int cargo = 0;
};
constexpr std::array<const char*, 3> kKinds = {"ferry", "freighter", "tanker"};

struct Arrival { Ship ship; };
struct Berthed { std::shared_ptr<Ship> ship; int berth; };
struct Unloaded { std::shared_ptr<Ship> ship; int berth; };
struct Tide { bool high; };
using What = std::variant<Arrival, Berthed, Unloaded, Tide>;

struct Event {
  Time at;
  std::uint64_t number;  // first come, first served
  What what;
  std::strong_ordering operator<=>(const Event& other) const {
    if (const auto order = at <=> other.at; order != 0) return order;
    return number <=> other.number;
  }
  bool operator==(const Event& other) const { return number == other.number; }
};

class Policy {  // which of the waiting ships comes next
 public:
  virtual ~Policy() = default;
  virtual std::string name() const = 0;
  virtual std::deque<std::shared_ptr<Ship>>::iterator choose(std::deque<std::shared_ptr<Ship>>& waiting, bool high) = 0;
};
class InOrder final : public Policy {
 public:
  std::string name() const override { return "in order"; }
  std::deque<std::shared_ptr<Ship>>::iterator choose(std::deque<std::shared_ptr<Ship>>& waiting, bool high) override {
    return std::find_if(waiting.begin(), waiting.end(),
                        [&](const auto& ship) { return high || ship->kind != Ship::Kind::Tanker; });
  }
};
class ShortestFirst final : public Policy {
 public:
  std::string name() const override { return "shortest first"; }
  std::deque<std::shared_ptr<Ship>>::iterator choose(std::deque<std::shared_ptr<Ship>>& waiting, bool high) override {
    auto best = waiting.end();
    for (auto at = waiting.begin(); at != waiting.end(); ++at) {
      if (!high && (*at)->kind == Ship::Kind::Tanker) continue;
      if (best == waiting.end() || (*at)->cargo < (*best)->cargo) best = at;
    }
    return best;
  }
};

class Harbour {
 public:
  Harbour(std::uint64_t seed, std::size_t berths, std::unique_ptr<Policy> policy)
      : random_(seed), berths_(berths), policy_(std::move(policy)) {
    HarbourClock::current = Time{6h};
    schedule(0min, Tide{true});
    schedule(Minutes(below(random_, 10)), new_ship());
  }

  void run(Time until) {
    while (!queue_.empty() && queue_.top().at < until) {
      const Event event = queue_.top();
      queue_.pop();
      assert(event.at >= HarbourClock::now());
      HarbourClock::current = event.at;
      std::visit([this](const auto& what) { happens(what); }, event.what);
      ++events_;
    }
  }

  void report(std::ostream& out) const {
    out << policy_->name() << ": " << events_ << " events, " << waiting_.size() << " ships wait at "
        << text(HarbourClock::now()) << ", longest queue " << longest_ << '\n';
    for (const auto& [kind, statistics] : waits_) out << "  " << std::left << std::setw(10) << kKinds[kind] << std::right << statistics << '\n';
    out << "  berths:";
    for (const auto& berth : berths_) out << ' ' << berth.used.count() / 60 << "min" << (berth.ship ? "*" : "");
    out << "\n  log: " << log_.str().substr(0, 60) << '\n';
  }

  const std::map<std::size_t, Statistics>& waits() const { return waits_; }

 private:
  struct Berth {
    std::shared_ptr<Ship> ship;
    std::chrono::seconds used{};
    Time since{};
  };

  template <typename Duration>
  void schedule(Duration after, What what) {
    queue_.push({HarbourClock::now() + std::chrono::duration_cast<HarbourClock::duration>(after), ++number_, std::move(what)});
  }
  Arrival new_ship() {
    Ship ship;
    ship.number = ++ships_;
    ship.kind = static_cast<Ship::Kind>(below(random_, 3));
    ship.cargo = static_cast<int>(10 + below(random_, 50) * (1 + static_cast<int>(ship.kind)));
    return {ship};
  }
  void happens(const Arrival& arrival) {
    auto ship = std::make_shared<Ship>(arrival.ship);
    ship->arrived = HarbourClock::now();
    log_ << 'a' << ship->number;
    waiting_.push_back(std::move(ship));
    longest_ = std::max(longest_, waiting_.size());
    schedule(Minutes(5 + below(random_, 25)), new_ship());
    assign();
  }
  void happens(const Berthed& berthed) {
    log_ << 'b' << berthed.ship->number;
    schedule(std::chrono::seconds(40) * berthed.ship->cargo, Unloaded{berthed.ship, berthed.berth});
  }
  void happens(const Unloaded& unloaded) {
    Berth& berth = berths_[static_cast<std::size_t>(unloaded.berth)];
    log_ << 'u' << unloaded.ship->number;
    assert(unloaded.ship.use_count() >= 2);
    berth.used += HarbourClock::now() - berth.since;
    berth.ship.reset();
    assign();
  }
  void happens(const Tide& tide) {
    high_ = tide.high;
    log_ << (high_ ? '^' : '_');
    schedule(6h + 12min, Tide{!tide.high});
    assign();
  }
  void assign() {
    for (std::size_t n = 0; n < berths_.size(); ++n) {
      if (berths_[n].ship) continue;
      const auto next = policy_->choose(waiting_, high_);
      if (next == waiting_.end()) return;
      const std::shared_ptr<Ship> ship = *next;
      waiting_.erase(next);
      const std::chrono::duration<double, std::ratio<60>> waited = HarbourClock::now() - ship->arrived;
      waits_[static_cast<std::size_t>(ship->kind)].add(waited.count());
      berths_[n].ship = ship;
      berths_[n].since = HarbourClock::now();
      schedule(3min, Berthed{ship, static_cast<int>(n)});
    }
  }

  Xorshift random_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  std::deque<std::shared_ptr<Ship>> waiting_;
  std::vector<Berth> berths_;
  std::unique_ptr<Policy> policy_;
  std::map<std::size_t, Statistics> waits_;
  std::ostringstream log_;
  std::uint64_t number_ = 0, events_ = 0;
  std::size_t longest_ = 0;
  int ships_ = 0;
  bool high_ = false;
};

void library_random() {
  std::mt19937 twister;
  std::minstd_rand simple(7);
  std::ranlux24_base lux(3);
  std::knuth_b knuth;
  twister.discard(9998);
  twister();
  std::cout << twister() << ' ' << simple() << ' ' << lux() << ' ' << knuth() << '\n';
  std::stringstream state;
  state << simple;
  std::minstd_rand again;
  state >> again;
  std::cout << (again == simple) << (again() == simple()) << '\n';
  std::seed_seq seeds{1, 2, 3};
  std::array<std::uint32_t, 4> words{};
  seeds.generate(words.begin(), words.end());
  std::mt19937_64 seeded(seeds);
  std::cout << words[0] << ' ' << words[3] << ' ' << seeded() << '\n';
  std::uniform_int_distribution<int> dice(1, 6);
  std::array<int, 7> faces{};
  for (int n = 0; n < 600; ++n) ++faces[static_cast<std::size_t>(dice(twister))];
  std::cout << faces[0] << ' ' << std::accumulate(faces.begin(), faces.end(), 0) << ' '
            << *std::max_element(faces.begin(), faces.end()) << '\n';
  std::normal_distribution<double> normal(100, 15);
  std::exponential_distribution<double> exponential(0.5);
  std::discrete_distribution<int> discrete{1, 0, 3};
  std::poisson_distribution<int> poisson(4);
  std::bernoulli_distribution coin(0.25);
  Statistics n, e;
  std::map<int, int> d, p;
  int heads = 0;
  for (int k = 0; k < 500; ++k) {
    n.add(normal(twister));
    e.add(exponential(twister));
    ++d[discrete(twister)];
    ++p[poisson(twister)];
    heads += coin(twister);
  }
  std::cout << n << '\n' << e << '\n' << d[0] << '/' << d[1] << '/' << d[2] << ' ' << p.rbegin()->first << ' ' << heads << '\n';
  std::vector<int> cards(12);
  std::iota(cards.begin(), cards.end(), 1);
  std::shuffle(cards.begin(), cards.end(), twister);
  std::vector<int> drawn;
  std::sample(cards.begin(), cards.end(), std::back_inserter(drawn), 4, twister);
  for (const int card : cards) std::cout << card << ' ';
  std::cout << "| " << std::accumulate(drawn.begin(), drawn.end(), 0) << '\n';
}

void calendars() {
  using namespace std::chrono;
  const year_month_day day = 2024y / February / 29d;
  const sys_days days = day;
  const weekday on(days);
  std::cout << day.ok() << ' ' << static_cast<int>(day.year()) << ' ' << static_cast<unsigned>(day.month()) << ' '
            << days.time_since_epoch().count() << ' ' << on.c_encoding() << ' ' << (2023y / February / 29d).ok() << '\n';
  const year_month_day last = 2023y / February / std::chrono::last;
  std::cout << static_cast<unsigned>(last.day()) << ' ' << (sys_days(2024y / 12 / 31) - sys_days(2024y / 1 / 1)).count() << '\n';
  std::cout << duration_cast<hours>(100000s).count() << ' ' << floor<minutes>(-61s).count() << ' ' << round<minutes>(90s).count()
            << ' ' << ceil<hours>(61min).count() << ' ' << (1h + 30min + 5s).count() << ' ' << abs(-3ms).count() << '\n';
  std::tm parts{};
  const std::time_t moment = 1700000000;
  gmtime_r(&moment, &parts);
  std::cout << std::put_time(&parts, "%Y-%m-%d %H:%M:%S %j %a %b") << ' ' << timegm(&parts) << '\n';
  const auto begin = steady_clock::now();
  std::cout << (steady_clock::now() >= begin) << (system_clock::now().time_since_epoch() > 0s) << '\n';
}

void waves() {
  std::valarray<double> x(8);
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = std::numbers::pi * static_cast<double>(n) / 4;
  const std::valarray<double> y = std::sin(x) * 2.0 + 1.0;
  const std::valarray<double> even = y[std::slice(0, 4, 2)];
  std::cout << std::fixed << std::setprecision(3) << y.sum() << ' ' << y.max() << ' ' << even.min() << ' '
            << std::abs(y).apply([](double v) { return v > 1 ? 1.0 : 0.0; }).sum() << '\n';
  std::pmr::monotonic_buffer_resource* none = nullptr;
  std::cout << (none == nullptr) << ' ' << std::lerp(1.0, 3.0, 0.25) << ' ' << std::midpoint(3, 8) << ' ' << std::gcd(84, 36) << '\n';
  std::array<int, 6> depths = {3, 9, 2, 8, 4, 7};
  std::span<int> view(depths);
  std::ranges::sort(view.subspan(1, 4), std::ranges::greater{});
  for (const int depth : depths | std::views::filter([](int d) { return d > 2; }) | std::views::transform([](int d) { return d * d; }))
    std::cout << depth << ' ';
  std::cout << '\n';
}

int main() {
  std::vector<double> means;
  for (const bool shortest : {false, true}) {
    std::unique_ptr<Policy> policy;
    if (shortest) policy = std::make_unique<ShortestFirst>();
    else policy = std::make_unique<InOrder>();
    Harbour harbour(42, 3, std::move(policy));
    harbour.run(Time{30h});
    harbour.report(std::cout);
    double sum = 0;
    for (const auto& [kind, statistics] : harbour.waits()) sum += statistics.mean() * static_cast<double>(statistics.count());
    means.push_back(sum);
  }
  std::cout << (means[1] <= means[0] ? "shortest first waits less" : "in order waits less") << '\n';
  library_random();
  calendars();
  waves();
}
