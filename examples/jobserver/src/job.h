// Jobs: what to compute. Pure functions, no state.
#ifndef JOBSERVER_JOB_H
#define JOBSERVER_JOB_H

#include <stdbool.h>

enum job_kind { JOB_FIBONACCI, JOB_PRIMES, JOB_CHECKSUM, JOB_WORDS };

enum { JOB_TEXT_MAX = 24 };

struct job {
  int id;
  enum job_kind kind;
  unsigned number;          // FIBONACCI, PRIMES
  char text[JOB_TEXT_MAX];  // CHECKSUM, WORDS
};

const char *job_name(enum job_kind kind);

// "primes 30", "checksum some text". False if the line is no job.
bool job_parse(struct job *job, const char *line);

unsigned long job_run(const struct job *job);

// Equal jobs have equal results; their ids do not matter.
bool job_same(const struct job *a, const struct job *b);
unsigned job_hash(const struct job *job);

#endif
