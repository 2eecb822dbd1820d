// chrono arithmetic, sleeping and elapsed time; random engines and distributions with fixed seeds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

int main() {
  const auto length = 1h + 30min + 15s + 250ms;
  std::printf("%ld %ld %ld\n", long(std::chrono::duration_cast<std::chrono::minutes>(length).count()), long(std::chrono::milliseconds(length).count()), long(std::chrono::floor<std::chrono::hours>(length).count()));
  std::printf("%.2f %d\n", std::chrono::duration<double, std::ratio<3600>>(length).count(), 90min == 1h + 30min);
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(5ms);
  const auto middle = std::chrono::steady_clock::now();
  std::this_thread::sleep_until(middle + 3ms);
  const auto end = std::chrono::steady_clock::now();
  std::printf("slept %d %d\n", middle - start >= 5ms, end - middle >= 3ms);
  const std::chrono::sys_days day = std::chrono::year(2024) / 2 / 29;
  const std::chrono::year_month_day next(day + std::chrono::days(1));
  std::printf("%d %u %u %u\n", int(next.year()), unsigned(next.month()), unsigned(next.day()), std::chrono::weekday(day).iso_encoding());
  std::printf("%d\n", std::chrono::system_clock::now() > std::chrono::system_clock::from_time_t(1600000000));
  std::printf("%d\n", int(std::chrono::hh_mm_ss(std::chrono::seconds(3725)).minutes().count()));

  std::mt19937 engine(42);
  std::printf("%u %u\n", unsigned(engine()), unsigned(engine()));
  std::mt19937_64 wide(7);
  std::printf("%llu\n", static_cast<unsigned long long>(wide()));
  std::minstd_rand small(1);
  small.discard(100);
  std::printf("%u\n", unsigned(small()));
  std::uniform_int_distribution<int> dice(1, 6);
  for (int n = 0; n < 10; ++n) std::printf("%d ", dice(engine));
  std::uniform_real_distribution<double> unit(0, 1);
  std::printf("\n%.12f\n", unit(engine));
  std::normal_distribution<double> normal(10, 2);
  std::printf("%.9f %.9f\n", normal(engine), normal(engine));
  std::bernoulli_distribution coin(0.25);
  int heads = 0;
  for (int n = 0; n < 50; ++n) heads += coin(engine);
  std::poisson_distribution<int> poisson(4.5);
  std::exponential_distribution<double> exponential(2);
  std::discrete_distribution<int> weighted{1, 0, 3};
  std::printf("%d %d %.9f %d\n", heads, poisson(engine), exponential(engine), weighted(engine));
  std::vector<int> deck(10);
  std::iota(deck.begin(), deck.end(), 0);
  std::shuffle(deck.begin(), deck.end(), engine);
  for (int card : deck) std::printf("%d ", card);
  std::vector<int> sample;
  std::sample(deck.begin(), deck.end(), std::back_inserter(sample), 3, engine);
  std::printf("| %d %d %d\n", sample[0], sample[1], sample[2]);
  std::seed_seq seeds{1, 2, 3};
  std::mt19937 seeded(seeds);
  std::printf("%u\n", unsigned(seeded()));
  std::ranlux24 lux;
  std::knuth_b knuth;
  std::printf("%u %u\n", unsigned(lux()), unsigned(knuth()));
  std::random_device device;
  const unsigned drawn = device();
  std::printf("%d\n", drawn >= device.min() && drawn <= device.max());
}
