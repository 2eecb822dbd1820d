#include "job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"fibonacci", "primes", "checksum", "words"};

const char *job_name(enum job_kind kind) { return names[kind]; }

static bool takes_number(enum job_kind kind) { return kind == JOB_FIBONACCI || kind == JOB_PRIMES; }

static bool parse_argument(struct job *job, const char *argument) {
  if (takes_number(job->kind)) {
    char *end;
    unsigned long number = strtoul(argument, &end, 10);
    if (end == argument || *end != '\0' || number > 1000) return false;
    job->number = (unsigned)number;
    return true;
  }
  if (strlen(argument) >= sizeof job->text) return false;
  strcpy(job->text, argument);
  return true;
}

bool job_parse(struct job *job, const char *line) {
  memset(job, 0, sizeof *job);
  for (int kind = JOB_FIBONACCI; kind <= JOB_WORDS; kind++) {
    size_t length = strlen(names[kind]);
    if (strncmp(line, names[kind], length) != 0 || line[length] != ' ') continue;
    job->kind = (enum job_kind)kind;
    return parse_argument(job, line + length + 1);
  }
  return false;
}

static unsigned long fibonacci(unsigned n) {
  unsigned long a = 0, b = 1;
  while (n-- > 0) {
    unsigned long next = a + b;
    a = b;
    b = next;
  }
  return a;
}

static bool is_prime(unsigned n) {
  if (n < 2) return false;
  for (unsigned divisor = 2; divisor * divisor <= n; divisor++)
    if (n % divisor == 0) return false;
  return true;
}

static unsigned long count_primes(unsigned below) {
  unsigned long count = 0;
  for (unsigned n = 2; n < below; n++) count += is_prime(n);
  return count;
}

// Adler-32.
static unsigned long checksum(const char *text) {
  unsigned long a = 1, b = 0;
  for (; *text; text++) {
    a = (a + (unsigned char)*text) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

static unsigned long count_words(const char *text) {
  unsigned long count = 0;
  bool inside = false;
  for (; *text; text++) {
    bool letter = !isspace((unsigned char)*text);
    if (letter && !inside) count++;
    inside = letter;
  }
  return count;
}

unsigned long job_run(const struct job *job) {
  switch (job->kind) {
    case JOB_FIBONACCI: return fibonacci(job->number);
    case JOB_PRIMES: return count_primes(job->number);
    case JOB_CHECKSUM: return checksum(job->text);
    case JOB_WORDS: return count_words(job->text);
  }
  abort();
}

bool job_same(const struct job *a, const struct job *b) {
  if (a->kind != b->kind) return false;
  return takes_number(a->kind) ? a->number == b->number : strcmp(a->text, b->text) == 0;
}

unsigned job_hash(const struct job *job) {
  unsigned hash = 2166136261u ^ (unsigned)job->kind;
  if (takes_number(job->kind)) return (hash ^ job->number) * 16777619u;
  for (const char *at = job->text; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
  return hash;
}
