/* Two threads log to one category; the other one writes down its name before. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "zlog.h"

static void* other(void* category) {
  zlog_put_mdc("who", "other");
  zlog_info(category, "hello %d", 1);
  return NULL;
}

int main(void) {
  char rules[] = "[formats]\nshort = \"%M(who) %m%n\"\n[rules]\n*.* >stdout; short\n";
  pthread_t thread;
  if (zlog_init_from_string(rules) != 0) return 1;
  zlog_category_t* category = zlog_get_category("some");
  assert(category != NULL);
  pthread_create(&thread, NULL, other, category);
  zlog_info(category, "hello %d", 2);
  pthread_join(thread, NULL);
  zlog_fini();
  return 0;
}
