// What library models must object to. Each case is one line: `case N: ...;  // the fault's message must contain this`.
// faults.sh runs every case in the machine.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char small[4], big[256], unterminated[3] = {'a', 'b', 'c'};
static struct { char name[8]; int number; } record;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int freeing(const void *a, const void *b) { free((void *)a); return 1; }
static void *racer(void *p) { return strcpy(p, "other"); }
static void race(void) {
  pthread_t t;
  pthread_create(&t, NULL, racer, big);
  printf("%zu\n", strlen(big));
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  int numbers[4] = {4, 3, 2, 1};
  char *heap = malloc(8), *text = strdup("0123456789"), *never = malloc(8);
  FILE *file = fopen("x", "w"), *none = fopen("missing", "r");
  char local[8] = "local";
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: strcpy(small, "12345"); break;                       // the end of
    case 2: strncpy(small, text, 5); break;                      // the end of
    case 3: memcpy(heap, text, 11); break;                       // the end of
    case 4: memset(local, 0, 9); break;                          // the end of
    case 5: printf("%zu\n", strlen(unterminated)); break;        // the end of
    case 6: puts(unterminated); break;                           // the end of
    case 7: sprintf(small, "%d", 12345); break;                  // the end of
    case 8: strcat(strcpy(heap, "1234567"), "8"); break;         // the end of
    case 9: fgets(small, 64, file), fread(small, 1, 5, none); break;  // null
    case 10: printf("%s\n", (char *)8); break;                   // reads
    case 11: printf("%s\n", never); break;                       // never written
    case 12: printf("%d\n", strcmp(never, "x")); break;          // never written
    case 13: free(text + 1); break;                              // free
    case 14: free(heap), free(heap); break;                      // freed
    case 15: free(local); break;                                 // free
    case 16: free(heap), strcpy(heap, "x"); break;               // freed
    case 17: realloc(small, 8); break;                           // not from malloc
    case 18: fclose(none); break;                                // null
    case 19: fclose(file), fputs("x", file); break;              // closed
    case 20: fputs("x", (FILE *)big); break;                     // FILE
    case 21: memcpy(text, text + 2, 5); break;                   // overlap
    case 22: qsort(numbers, 5, sizeof *numbers, compare); break; // the end of
    case 23: qsort(numbers, 4, sizeof *numbers, freeing); break; // free
    case 24: qsort(numbers, 4, sizeof *numbers, NULL); break;    // function pointer
    case 25: memcpy(record.name, text, sizeof record + 1); break; // the end of
    case 26: strcpy(NULL, text); break;                          // null
    case 27: raise(SIGSEGV); break;                              // signal 11
    case 28: abort(); break;                                     // abort
    case 29: sscanf("12345678", "%s", small); break;             // the end of
    case 30: sscanf("1", "%d"); break;                           // argument
    case 31: printf("%s %d\n", "x"); break;                      // argument
    case 32: write(1, small, 5); break;                          // the end of
    case 33: snprintf(small, 5, "%s", text); break;              // the end of
    case 34: div(1, argc - 2); break;                            // zero
    case 35: race(); break;                                      // to order them
    case 36: strtol(NULL, NULL, 10); break;                      // null
    case 37: "abc"[1] == 'b' && strcpy("literal", "x"); break;   // constant
    case 38: localtime((time_t *)NULL); break;                   // null
    case 39: strtok(strcpy(local, "a"), NULL); break;            // null
    case 41: printf("%d\n", memcmp(never, heap, 8)); break;       // never written
    case 42: printf("%d\n", atoi(never)); break;                 // never written
    case 43: write(1, never, 8); break;                          // never written
    case 40: memset(heap + 8, 0, 1); break;                      // the end of
    case 44: memset(big + 100, 0, (size_t)-50); break;           // the end of
    case 45: memcpy(big + 100, big, (size_t)-50); break;         // the end of
    case 46: memmove(big + 100, big + 50, (size_t)-20); break;   // the end of
    case 47: strncpy(big + 100, "x", (size_t)-20); break;        // the end of
    case 48: *(char *)memchr(big + 100, 'q', (size_t)-20) = 0; break;  // the end of
    case 49: *(char *)malloc((size_t)-1) = 0; break;             // null
    case 50: *(char *)aligned_alloc(64, (size_t)-1) = 0; break;  // null
    case 51: *(char *)calloc((size_t)-1, 1) = 0; break;          // null
    case 52: *(char *)realloc(heap, (size_t)-8) = 0; break;      // null
    case 53: printf("%zu\n", strnlen(unterminated, (size_t)-1)); break;  // the end of
    case 54: fwrite(big + 100, 1, (size_t)-50, stdout); break;   // the end of
    case 55: printf("%.*s\n", -1, unterminated); break;          // the end of
    case 56: printf("%2000000000d", 1); break;                   // 16 MiB
    case 57: qsort(numbers, (size_t)-1, 4, compare); break;      // more bytes
    case 58: memset(big + 100, 0, argc - 52); break;             // the end of
    default: return 0;
  }
  return 0;
}
