// Settings of the server, read from text of the form "key = value".
#ifndef JOBSERVER_CONFIG_H
#define JOBSERVER_CONFIG_H

#include <stdbool.h>

#include "log.h"

struct config {
  int workers;
  int queue_capacity;
  int cache_buckets;
  int cache_entries;
  enum log_level log_level;
};

struct config_error {
  int line;
  char message[64];
};

void config_defaults(struct config *config);

// Lines are "key = value"; '#' starts a comment. On failure `error` says where and why.
bool config_parse(struct config *config, const char *text, struct config_error *error);

#endif
