// A recursive descent parser and evaluator with error handling by setjmp-free returns.
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  const char *error;
} parser;

static double expression(parser *p);

static void skip(parser *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
}

static bool accept(parser *p, char c) {
  skip(p);
  if (*p->at != c) return false;
  p->at++;
  return true;
}

static double primary(parser *p) {
  skip(p);
  if (accept(p, '(')) {
    double v = expression(p);
    if (!accept(p, ')')) p->error = "missing )";
    return v;
  }
  if (accept(p, '-')) return -primary(p);
  if (isalpha((unsigned char)*p->at)) {
    static const struct {
      const char *name;
      double (*f)(double);
    } functions[] = {{"sqrt", sqrt}, {"sin", sin}, {"cos", cos}, {"exp", exp}, {"log", log}, {"floor", floor}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
      size_t n = strlen(functions[i].name);
      if (strncmp(p->at, functions[i].name, n) == 0) {
        p->at += n;
        return functions[i].f(primary(p));
      }
    }
    p->error = "unknown name";
    return 0;
  }
  char *end;
  double v = strtod(p->at, &end);
  if (end == p->at) p->error = "number expected";
  p->at = end;
  return v;
}

static double power(parser *p) {
  double base = primary(p);
  return accept(p, '^') ? pow(base, power(p)) : base;
}

static double term(parser *p) {
  double v = power(p);
  for (;;) {
    if (accept(p, '*')) v *= power(p);
    else if (accept(p, '/')) v /= power(p);
    else if (accept(p, '%')) v = fmod(v, power(p));
    else return v;
  }
}

static double expression(parser *p) {
  double v = term(p);
  for (;;) {
    if (accept(p, '+')) v += term(p);
    else if (accept(p, '-')) v -= term(p);
    else return v;
  }
}

int main(void) {
  const char *lines[] = {"1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-4 + sqrt(2) * sqrt 2", "1 / 0", "10 % 4 - .5e1",
                         "sin(0) + cos(0)", "(1 + ", "abc", "0x10 + 1", "exp(1) * log(10)", "floor(-2.5)", "0/0", "1e308 * 10"};
  int errors = 0;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    parser p = {lines[i], NULL};
    double v = expression(&p);
    skip(&p);
    if (!p.error && *p.at) p.error = "trailing text";
    if (p.error) {
      printf("%-24s error: %s at %d\n", lines[i], p.error, (int)(p.at - lines[i]));
      errors++;
    } else {
      printf("%-24s = %.10g\n", lines[i], v == v ? v : 0.0 * 0);
    }
  }
  return errors;
}
