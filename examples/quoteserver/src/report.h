// Quotes and the state of the service as text for people.
#pragma once

#include <string>
#include <vector>

#include "log.h"
#include "service.h"

namespace quotes {

std::string describe(const Quote& quote);
std::string describe(const Progress& progress);
std::string describe(const Log& log);

}  // namespace quotes
