// Exit handlers, constructors and destructors, on_exit, signal handlers, a return from main.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int order;
static volatile sig_atomic_t caught;

__attribute__((constructor)) static void before(void) { printf("constructor %d\n", ++order); }
__attribute__((destructor)) static void after(void) { printf("destructor %d\n", ++order); }
static void second(void) { printf("second %d\n", ++order); }
static void first(void) {
  printf("first %d\n", ++order);
  atexit(second);
}
static void with_status(int status, void *data) { printf("status %d %s\n", status, (const char *)data); }
static void on_signal(int number) { caught = number; }

int main(void) {
  atexit(first);
  on_exit(with_status, "data");
  void (*old)(int) = signal(SIGUSR1, on_signal);
  printf("%d\n", old == SIG_DFL);
  raise(SIGUSR1);
  printf("%d\n", caught == SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  printf("%d\n", raise(SIGUSR1));
  struct sigaction action = {.sa_handler = on_signal}, previous;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, &previous);
  raise(SIGTERM);
  printf("%d %d\n", caught == SIGTERM, previous.sa_handler == SIG_DFL);
  return 300;
}
