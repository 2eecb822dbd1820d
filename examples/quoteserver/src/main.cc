#include <cassert>
#include <iostream>
#include <memory>

#include "catalogue.h"
#include "log.h"
#include "order.h"
#include "pricing.h"
#include "report.h"
#include "service.h"

namespace {

const char kCatalogue[] =
    "# name category cents\n"
    "lamp light 2495\n"
    "bulb light 350\n"
    "desk furniture 18900\n"
    "chair furniture 7950\n";

const char kOrders[] =
    "Ada desk 1 lamp 2\n"
    "Grace lamp 2 sofa 1\n";

quotes::Pricing make_pricing() {
  quotes::Pricing pricing;
  pricing.add(std::make_unique<quotes::QuantityDiscount>(10, 15));
  pricing.add(std::make_unique<quotes::CategoryDiscount>("furniture", 5));
  return pricing;
}

void run(quotes::Log& log) {
  const quotes::Catalogue catalogue = quotes::Catalogue::parse(kCatalogue);
  const quotes::Pricing pricing = make_pricing();
  quotes::Service service(catalogue, pricing, 2, log);

  std::vector<std::future<quotes::Quote>> answers;
  for (quotes::Order& order : quotes::parse_orders(kOrders)) answers.push_back(service.request(std::move(order)));

  quotes::Money sum;
  for (auto& answer : answers) {
    try {
      const quotes::Quote quote = answer.get();
      sum += quote.total;
      std::cout << quotes::describe(quote);
    } catch (const quotes::UnknownProduct& problem) {
      std::cout << "refused: " << problem.what() << "\n";
    }
  }
  const quotes::Progress progress = service.progress();
  std::cout << quotes::describe(progress);
  assert(progress.open == 0);
  assert(progress.summary.quoted == 1 && progress.summary.refused == 1);
  assert(sum == progress.summary.largest);
}

}  // namespace

int main() {
  quotes::Log log(quotes::Level::Info);
  try {
    log.write(quotes::Level::Info, "started");
    run(log);
    log.write(quotes::Level::Info, "done");
  } catch (const quotes::ParseError& problem) {
    std::cerr << "line " << problem.line() << ": " << problem.what() << "\n";
    return 1;
  }
  std::cout << quotes::describe(log);
  return 0;
}
