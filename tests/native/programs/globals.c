#include <stdio.h>
#include <stdlib.h>
struct node { const char *name; struct node *next; int (*f)(int); int data[3]; };
static int twice(int x) { return 2 * x; } static int square(int x) { return x * x; } extern struct node second; static int numbers[] = {1, 2, 3, [6] = 7};
struct node first = {"first", &second, twice, {1, 2, 3}}, second = {.name = "second", .f = square, .data = {[1] = 9}}; static int *inside = &numbers[6], *past = numbers + 7; static const char *const texts[] = {"x", "yy", &"abc"[1]};
static int counter(void) { static int n = 100; static int *p = &n; return ++*p; } static void bye(void) { printf("bye %d\n", counter()); } static void early(void) { puts("later"); }
__attribute__((constructor)) static void before(void) { numbers[0] = 42; } __attribute__((destructor)) static void after(void) { puts("destructor"); } enum colour { RED, GREEN = 5, BLUE }; static enum colour c = BLUE;
int main(int argc, char **argv) {
  atexit(bye); atexit(early); for (struct node *n = &first; n; n = n->next) printf("%s %d %d\n", n->name, n->f(n->data[1]), n->data[2]);
  printf("%d %td %s %d %d %d %d\n", *inside, past - numbers, texts[2], numbers[0], c, argc, argv[argc] == NULL); counter(); if (counter() == 102) exit(9); return 1;
}
