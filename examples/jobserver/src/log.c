#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

enum { LINES = 8, LINE_LENGTH = 72 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[LINES][LINE_LENGTH];
static unsigned written;

static enum log_level threshold = LOG_INFO;

void log_set_level(enum log_level level) { threshold = level; }

void log_write(enum log_level level, const char *format, ...) {
  if (level < threshold) return;
  char line[LINE_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&lock);
  memcpy(lines[written % LINES], line, sizeof line);
  written++;
  pthread_mutex_unlock(&lock);
}

void log_dump(FILE *to) {
  pthread_mutex_lock(&lock);
  unsigned first = written > LINES ? written - LINES : 0;
  for (unsigned i = first; i < written; i++) fprintf(to, "log: %s\n", lines[i % LINES]);
  pthread_mutex_unlock(&lock);
}
