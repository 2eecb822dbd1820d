// A small JSON reader and writer: tagged unions, recursion, growing arrays.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUL, BOOL, NUMBER, STRING, ARRAY, OBJECT };

struct value {
  enum kind kind;
  union {
    int boolean;
    double number;
    char *string;
    struct {
      struct value **items;
      char **keys;
      size_t count, capacity;
    } list;
  } u;
};

static const char *at;

static struct value *make(enum kind kind) {
  struct value *v = calloc(1, sizeof *v);
  v->kind = kind;
  return v;
}

static void space(void) { at += strspn(at, " \t\r\n"); }

static char *string(void) {
  assert(*at == '"');
  at++;
  char *out = malloc(strlen(at) + 1), *o = out;
  while (*at != '"') {
    if (*at == '\\') {
      at++;
      switch (*at) {
        case 'n': *o++ = '\n'; break;
        case 't': *o++ = '\t'; break;
        case 'u': {
          unsigned code = 0;
          int used = 0;
          sscanf(at + 1, "%4x%n", &code, &used);
          at += used;
          *o++ = (char)code;
          break;
        }
        default: *o++ = *at;
      }
      at++;
    } else {
      *o++ = *at++;
    }
  }
  at++;
  *o = 0;
  return out;
}

static struct value *parse(void);

static void push(struct value *list, char *key, struct value *item) {
  if (list->u.list.count == list->u.list.capacity) {
    list->u.list.capacity = list->u.list.capacity ? list->u.list.capacity * 2 : 2;
    list->u.list.items = realloc(list->u.list.items, list->u.list.capacity * sizeof(struct value *));
    list->u.list.keys = realloc(list->u.list.keys, list->u.list.capacity * sizeof(char *));
  }
  list->u.list.keys[list->u.list.count] = key;
  list->u.list.items[list->u.list.count++] = item;
}

static struct value *container(enum kind kind, char close) {
  struct value *v = make(kind);
  at++;
  space();
  if (*at == close) {
    at++;
    return v;
  }
  for (;;) {
    char *key = NULL;
    space();
    if (kind == OBJECT) {
      key = string();
      space();
      assert(*at == ':');
      at++;
    }
    push(v, key, parse());
    space();
    if (*at++ == close) return v;
    assert(at[-1] == ',');
  }
}

static struct value *parse(void) {
  space();
  struct value *v;
  switch (*at) {
    case '{': return container(OBJECT, '}');
    case '[': return container(ARRAY, ']');
    case '"':
      v = make(STRING);
      v->u.string = string();
      return v;
    case 't':
    case 'f':
      v = make(BOOL);
      v->u.boolean = *at == 't';
      at += *at == 't' ? 4 : 5;
      return v;
    case 'n': at += 4; return make(NUL);
    default: {
      v = make(NUMBER);
      char *end;
      v->u.number = strtod(at, &end);
      assert(end != at);
      at = end;
      return v;
    }
  }
}

struct buffer {
  char *data;
  size_t size, capacity;
};

static void append(struct buffer *b, const char *form, ...) {
  va_list ap, again;
  va_start(ap, form);
  va_copy(again, ap);
  int n = vsnprintf(b->data + b->size, b->capacity - b->size, form, ap);
  va_end(ap);
  if (b->size + (size_t)n >= b->capacity) {
    b->capacity = (b->size + (size_t)n + 1) * 2;
    b->data = realloc(b->data, b->capacity);
    vsnprintf(b->data + b->size, b->capacity - b->size, form, again);
  }
  va_end(again);
  b->size += (size_t)n;
}

static void write_value(struct buffer *b, const struct value *v, int depth) {
  switch (v->kind) {
    case NUL: append(b, "null"); break;
    case BOOL: append(b, "%s", v->u.boolean ? "true" : "false"); break;
    case NUMBER: append(b, "%.15g", v->u.number); break;
    case STRING: append(b, "\"%s\"", v->u.string); break;
    default:
      append(b, "%c\n", v->kind == ARRAY ? '[' : '{');
      for (size_t i = 0; i < v->u.list.count; i++) {
        append(b, "%*s", (depth + 1) * 2, "");
        if (v->kind == OBJECT) append(b, "%s: ", v->u.list.keys[i]);
        write_value(b, v->u.list.items[i], depth + 1);
        append(b, "%s\n", i + 1 < v->u.list.count ? "," : "");
      }
      append(b, "%*s%c", depth * 2, "", v->kind == ARRAY ? ']' : '}');
  }
}

static void destroy(struct value *v) {
  if (v->kind == STRING) free(v->u.string);
  if (v->kind == ARRAY || v->kind == OBJECT) {
    for (size_t i = 0; i < v->u.list.count; i++) {
      free(v->u.list.keys[i]);
      destroy(v->u.list.items[i]);
    }
    free(v->u.list.keys);
    free(v->u.list.items);
  }
  free(v);
}

int main(void) {
  at = "{\"name\": \"heddle\\tone\", \"sizes\": [1, -2.5, 3e10, 0.1], \"nested\": {\"t\": true, \"f\": false, \"n\": null, "
       "\"deep\": [[[]], {}, \"\\u0041\\u007a\"]}, \"last\": 12345678901234567890}";
  struct value *v = parse();
  struct buffer b = {0};
  write_value(&b, v, 0);
  puts(b.data);
  printf("%zu bytes\n", b.size);
  free(b.data);
  destroy(v);
  return 0;
}
