// VERDICT: clear
// The size of a stack for handlers of signals is asked for, and the stack is set, told and given back, by each thread.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local int handled;
static void handler(int number) { handled = number; }

static void *work(void *p) {
  const long size = sysconf(_SC_SIGSTKSZ);
  assert(size >= sysconf(_SC_MINSIGSTKSZ) && size > 0);
  stack_t own = {0}, before, now, small = {0};
  own.ss_sp = malloc((size_t)size);
  own.ss_size = (size_t)size;
  assert(sigaltstack(&own, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0);
  assert(sigaltstack(NULL, &now) == 0 && now.ss_sp == own.ss_sp && now.ss_size == own.ss_size && now.ss_flags == 0);
  small.ss_sp = own.ss_sp;
  small.ss_size = 16;
  assert(sigaltstack(&small, NULL) == -1 && errno == ENOMEM);
  raise(SIGUSR1);
  assert(handled == SIGUSR1);
  assert(sigaltstack(&before, NULL) == 0);
  free(own.ss_sp);
  return p;
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
