// A log of the last lines, kept in memory and printed on demand.
#ifndef JOBSERVER_LOG_H
#define JOBSERVER_LOG_H

#include <stdio.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

void log_set_level(enum log_level level);  // before any thread is started
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_dump(FILE *to);

#endif
