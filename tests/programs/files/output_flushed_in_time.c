// Output that others see: after fflush, fclose or a change of position, of a stream without a buffer, or by lines.
// VERDICT: clear
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *out;

static void expect(const char *text) {
  char found[32] = {0};
  int in = open("seen", O_RDONLY);
  assert(read(in, found, sizeof found - 1) == (ssize_t)strlen(text) && strcmp(found, text) == 0);
  close(in);
}

static void *writes(void *arg) {
  fputs("a", out);
  fflush(out);
  return arg;
}

int main(void) {
  pthread_t t;
  out = fopen("seen", "w");
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  expect("a");
  fputs("b", out);
  fflush(NULL);
  expect("ab");
  fprintf(out, "%d", 1);
  fseek(out, 0, SEEK_END);
  expect("ab1");
  fclose(out);
  out = fopen("seen", "a");
  setvbuf(out, NULL, _IOLBF, 64);
  fputs("c\n", out);
  expect("ab1c\n");
  fclose(out);
  out = fopen("seen", "a+");
  setvbuf(out, NULL, _IONBF, 0);
  fputc('d', out);
  expect("ab1c\nd");
  rewind(out);
  assert(fgetc(out) == 'a');
  fclose(out);
  expect("ab1c\nd");
  return 0;
}
