// C++20: jthread and stop tokens, latch, barrier, semaphores, atomic wait.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

int main() {
  {
    int rounds = 0;
    std::atomic<bool> started{false};
    std::jthread worker([&](std::stop_token token) {
      started = true;
      started.notify_all();
      while (!token.stop_requested()) std::this_thread::yield();
      ++rounds;
    });
    started.wait(false);
    std::printf("possible %d requested %d\n", worker.get_stop_token().stop_possible(), worker.get_stop_token().stop_requested());
    worker.request_stop();
    worker.join();
    std::printf("rounds %d\n", rounds);
  }
  {
    std::stop_source source;
    int called = 0;
    std::stop_callback callback(source.get_token(), [&] { ++called; });
    {
      std::stop_callback gone(source.get_token(), [&] { called += 100; });
    }
    std::printf("%d", source.request_stop());
    std::printf("%d", source.request_stop());
    std::stop_callback late(source.get_token(), [&] { called += 10; });
    std::printf(" called %d\n", called);
  }
  {
    std::latch done(3);
    std::vector<int> values(3);
    std::vector<std::jthread> threads;
    for (int n = 0; n < 3; ++n)
      threads.emplace_back([&, n] {
        values[n] = n + 1;
        done.count_down();
      });
    done.wait();
    std::printf("latch %d %d\n", values[0] + values[1] + values[2], done.try_wait());
  }
  {
    int phases = 0;
    std::vector<int> steps(2, 0);
    auto completed = [&]() noexcept { ++phases; };
    std::barrier barrier(2, completed);
    bool equal = true;
    auto run = [&](int n) {
      for (int phase = 0; phase < 3; ++phase) {
        ++steps[n];
        barrier.arrive_and_wait();
        equal = equal && (n == 1 || steps[0] == steps[1]);
        barrier.arrive_and_wait();
      }
    };
    std::jthread a(run, 0), b(run, 1);
    a.join();
    b.join();
    std::printf("phases %d equal %d\n", phases, equal);
  }
  {
    std::counting_semaphore<4> slots(2);
    std::atomic<int> inside{0}, most{0};
    std::vector<std::jthread> threads;
    for (int n = 0; n < 3; ++n)
      threads.emplace_back([&] {
        slots.acquire();
        const int now = ++inside;
        int seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        --inside;
        slots.release();
      });
    threads.clear();
    std::printf("semaphore within %d\n", most <= 2);
    std::printf("%d", slots.try_acquire());
    std::printf("%d", slots.try_acquire());
    std::printf("%d", slots.try_acquire());
    std::printf("%d\n", slots.try_acquire_for(std::chrono::milliseconds(1)));
    slots.release(2);
    std::binary_semaphore ping(1), pong(0);
    std::vector<int> order;
    std::jthread first([&] {
      for (int n = 0; n < 3; ++n) {
        ping.acquire();
        order.push_back(2 * n);
        pong.release();
      }
    });
    std::jthread second([&] {
      for (int n = 0; n < 3; ++n) {
        pong.acquire();
        order.push_back(2 * n + 1);
        ping.release();
      }
    });
    first.join();
    second.join();
    for (int n : order) std::printf("%d", n);
    std::printf("\n");
  }
  {
    std::atomic<int> stage{0};
    std::jthread worker([&] {
      stage.wait(0);
      stage = 2;
      stage.notify_one();
    });
    stage = 1;
    stage.notify_one();
    stage.wait(1);
    std::printf("stage %d\n", stage.load());
    std::atomic_flag flag;
    std::jthread setter([&] {
      flag.test_and_set();
      flag.notify_all();
    });
    flag.wait(false);
    std::printf("flag %d\n", flag.test());
  }
  {
    std::mutex mutex;
    std::condition_variable_any ready;
    bool woken = true;
    std::jthread waiter([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      woken = ready.wait(lock, token, [] { return false; });
    });
    waiter.request_stop();
    waiter.join();
    std::printf("woken %d\n", woken);
  }
}
