#include "config.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_LENGTH = 80 };

struct number_setting {
  const char *key;
  int low, high;
  size_t offset;
};

static const struct number_setting number_settings[] = {
    {"workers", 1, 8, offsetof(struct config, workers)},
    {"queue_capacity", 1, 64, offsetof(struct config, queue_capacity)},
    {"cache_buckets", 1, 64, offsetof(struct config, cache_buckets)},
    {"cache_entries", 1, 256, offsetof(struct config, cache_entries)},
};

void config_defaults(struct config *config) {
  config->workers = 2;
  config->queue_capacity = 4;
  config->cache_buckets = 8;
  config->cache_entries = 16;
  config->log_level = LOG_WARNING;
}

static bool fail(struct config_error *error, int line, const char *why, const char *what) {
  error->line = line;
  snprintf(error->message, sizeof error->message, "%s '%s'", why, what);
  return false;
}

// Cuts white space off both ends, in place.
static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
  text[length] = '\0';
  return text;
}

static bool set_level(struct config *config, const char *value) {
  static const char *const names[] = {"debug", "info", "warning", "error"};
  for (int level = LOG_DEBUG; level <= LOG_ERROR; level++) {
    if (strcmp(value, names[level]) == 0) {
      config->log_level = (enum log_level)level;
      return true;
    }
  }
  return false;
}

static bool set(struct config *config, int line, const char *key, const char *value, struct config_error *error) {
  if (strcmp(key, "log_level") == 0)
    return set_level(config, value) ? true : fail(error, line, "unknown level", value);
  for (size_t i = 0; i < sizeof number_settings / sizeof number_settings[0]; i++) {
    const struct number_setting *setting = &number_settings[i];
    if (strcmp(key, setting->key) != 0) continue;
    char *end;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0') return fail(error, line, "not a number", value);
    if (number < setting->low || number > setting->high) return fail(error, line, "out of range", value);
    memcpy((char *)config + setting->offset, &(int){(int)number}, sizeof(int));
    return true;
  }
  return fail(error, line, "unknown key", key);
}

static bool parse_line(struct config *config, int number, char *line, struct config_error *error) {
  char *comment = strchr(line, '#');
  if (comment) *comment = '\0';
  line = trim(line);
  if (*line == '\0') return true;
  char *equals = strchr(line, '=');
  if (!equals) return fail(error, number, "no '=' in", line);
  *equals = '\0';
  return set(config, number, trim(line), trim(equals + 1), error);
}

bool config_parse(struct config *config, const char *text, struct config_error *error) {
  int number = 0;
  while (*text) {
    const char *end = strchr(text, '\n');
    size_t length = end ? (size_t)(end - text) : strlen(text);
    char line[LINE_MAX_LENGTH];
    number++;
    if (length >= sizeof line) return fail(error, number, "too long", "line");
    memcpy(line, text, length);
    line[length] = '\0';
    if (!parse_line(config, number, line, error)) return false;
    text += length + (end ? 1 : 0);
  }
  return true;
}
