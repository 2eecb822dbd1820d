// As with pthread_cond_wait: cnd_wait gives back one level.
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int makes(void *arg) {
  mtx_lock(&lock);  // ERROR(deadlock)?
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return arg != NULL;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_plain | mtx_recursive);
  cnd_init(&changed);
  thrd_create(&t, makes, NULL);
  mtx_lock(&lock);
  mtx_lock(&lock);
  while (!ready) cnd_wait(&changed, &lock);  // ERROR(deadlock)!
  mtx_unlock(&lock);
  mtx_unlock(&lock);
  thrd_join(t, NULL);
  return 0;
}
