#include "report.h"

#include <iomanip>
#include <sstream>

namespace quotes {

std::string describe(const Quote& quote) {
  std::ostringstream out;
  out << "order " << quote.order << " for " << quote.customer << "\n";
  for (const QuoteLine& line : quote.lines) {
    out << "  " << std::setw(4) << line.quantity << " " << std::left << std::setw(10) << line.product << std::right
        << std::setw(10) << line.total.text() << "\n";
  }
  out << "  total " << std::setw(19) << quote.total.text() << "\n";
  return out.str();
}

std::string describe(const Progress& progress) {
  std::ostringstream out;
  out << progress.summary.quoted << " quoted, " << progress.summary.refused << " refused, " << progress.open << " open";
  if (progress.summary.quoted > 0)
    out << "; largest " << progress.summary.largest.text() << " for " << progress.summary.largest_customer;
  out << "\n";
  return out.str();
}

std::string describe(const Log& log) {
  std::ostringstream out;
  for (const std::string& line : log.lines()) out << line << "\n";
  if (const unsigned long dropped = log.dropped(); dropped > 0) out << "(" << dropped << " older lines)\n";
  return out.str();
}

}  // namespace quotes
