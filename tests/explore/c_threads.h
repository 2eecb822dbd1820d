// C programs for the tests of the searches: some threads that run the same body.
#pragma once

#include "tests/explore/c_program.h"

namespace heddle::explore {

inline const std::string kHead = R"(
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
)";

// main starts n threads of `worker` (argument: number) and joins them.
inline std::string threads(int n, const std::string& globals, const std::string& body) {
  return kHead + globals + "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; " + body +
         " return 0; }\nint main(void) { pthread_t t[" + std::to_string(n) + "]; for (long i = 0; i < " +
         std::to_string(n) + "; i++) pthread_create(&t[i], 0, worker, (void *)i); for (int i = 0; i < " +
         std::to_string(n) + "; i++) pthread_join(t[i], 0); return 0; }\n";
}

}  // namespace heddle::explore
