// VERDICT: clear
// Texts that fit, and those whose array may be larger than its type says.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  char name[8];
  char rest[8];
  int count;
};
struct message {
  int length;
  char text[1];
};
union view {
  char narrow[4];
  char wide[16];
};

static struct record record;
static union {
  struct record as_record;
  char bytes[sizeof(struct record)];
} other;
static struct {
  union view view;
  int behind;
} boxed;
static char rows[3][8];

static void prints(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(record.rest, sizeof record.rest, format, list);
  va_end(list);
}

static void *works(void *p) {
  strcpy(record.name, "seven..");
  strncpy(record.name, "ab", 8);
  strcat(record.name, "cdefg");
  strcpy(&record.rest[4], "abc");
  strncat(&record.rest[4], "", 100);
  snprintf(record.name, 64, "%d", 1234567);  // the size is too large, the text is not
  sprintf(record.rest, "%s", "1234567");
  prints("%d", 123456789);
  assert(strcmp(record.rest, "1234567") == 0);
  strcpy(other.bytes, "longer than a name");
  strcpy(boxed.view.narrow, "not narrow");
  for (int i = 0; i < 3; i++) sprintf(rows[i], "row %d", i);
  memset(record.name, 0, 16);  // two members at once
  struct message *message = malloc(sizeof *message + 16);
  strcpy(message->text, "sixteen or less");
  message->length = (int)strlen(message->text);
  free(message);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return record.count + boxed.behind;
}
