// Old code calls library functions without their headers. GCC warns, and knows their types.
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

static char text[40];

static void *worker(void *argument) {
  int *number = malloc(sizeof *number);
  *number = 41;
  sprintf(text, "%d %s %.1f", *number + 1, "x", sqrt(6.25));
  printf("%s, %d characters\n", text, (int)strlen(text));
  free(number);
  return argument;
}

int main(void) {
  unsigned long thread;
  int number = 0;
  if (pthread_create(&thread, 0, worker, 0) != 0) return 1;
  pthread_join(thread, 0);
  if (sscanf(text, "%d", &number) != 1 || number != 42) abort();
  if (strcmp(strchr(text, ' '), " x 2.5") != 0) abort();
  return 0;
}
