// Orders in, quotes out. Quotes are computed by the pool's workers, several orders at once.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "catalogue.h"
#include "log.h"
#include "order.h"
#include "price_cache.h"
#include "pricing.h"
#include "statistics.h"
#include "thread_pool.h"

namespace quotes {

struct QuoteLine {
  std::string product;
  long quantity = 0;
  Money total;
};

struct Quote {
  int order = 0;
  std::string customer;
  std::vector<QuoteLine> lines;
  Money total;
};

// Product and quantity.
struct PriceKey {
  std::string product;
  long quantity = 0;
  bool operator==(const PriceKey& other) const { return quantity == other.quantity && product == other.product; }
};
struct PriceKeyHash {
  std::size_t operator()(const PriceKey& key) const {
    return std::hash<std::string>()(key.product) * 31 + std::hash<long>()(key.quantity);
  }
};

struct Progress {
  unsigned open = 0;  // orders that wait or are being computed
  Summary summary;
};

class Service {
 public:
  Service(const Catalogue& catalogue, const Pricing& pricing, unsigned workers, Log& log);

  // The future throws UnknownProduct if the order names one.
  std::future<Quote> request(Order order);
  Progress progress();

 private:
  Quote quote(const Order& order);
  Money unit_price(const OrderLine& line);
  void finish(const Order& order, const Quote* quote);

  const Catalogue& catalogue_;
  const Pricing& pricing_;
  Log& log_;
  Statistics statistics_;
  PriceCache<PriceKey, Money, PriceKeyHash> prices_{8};
  std::mutex mutex_;                  // of open_; taken before those of the pool and the statistics
  std::map<int, std::string> open_;   // customers by order
  ThreadPool pool_;                   // last: its workers use what stands above
};

}  // namespace quotes
