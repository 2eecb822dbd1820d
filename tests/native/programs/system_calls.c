// err.h, limits, names of the system, scheduling parameters, leaving through errx.
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <unistd.h>

static void bye(void) { puts("handlers run"); }

int main(void) {
  struct utsname name;
  struct rlimit limit;
  sigset_t set, old;
  printf("%d %s\n", uname(&name), name.sysname);
  printf("%d\n", getrlimit(RLIMIT_NOFILE, &limit));
  printf("%d %d\n", sched_get_priority_max(SCHED_FIFO), sched_get_priority_min(SCHED_OTHER));
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  printf("%d %d %d\n", pthread_sigmask(SIG_BLOCK, &set, &old), sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
  printf("%d %d\n", sysconf(_SC_PAGESIZE) == 4096, getpid() > 0);
  errno = ENOENT;
  warn("warning %d", 1);
  warnx("plain %s", "warning");
  syslog(LOG_INFO, "message %d", 5);
  const char *text = "written\n";
  fflush(stdout);
  printf("%zd\n", write(STDOUT_FILENO, text, strlen(text)));
  atexit(bye);
  errx(5, "the end: %s", "now");
}
