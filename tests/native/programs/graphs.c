// Graphs: Dijkstra with a binary heap, topological order, union-find, depth-first search, dynamic programming.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 12
struct edge { int to, cost; struct edge *next; };
static struct edge *edges[N], pool[64];
static int used;
static void connect(int a, int b, int cost) {
  pool[used] = (struct edge){b, cost, edges[a]};
  edges[a] = &pool[used++];
}

struct heap { struct { int cost, node; } at[256]; int size; };
static void push(struct heap *h, int cost, int node) {
  int i = h->size++;
  for (; i > 0 && h->at[(i - 1) / 2].cost > cost; i = (i - 1) / 2) h->at[i] = h->at[(i - 1) / 2];
  h->at[i].cost = cost;
  h->at[i].node = node;
}
static int pop(struct heap *h, int *cost) {
  int node = h->at[0].node, i = 0;
  *cost = h->at[0].cost;
  __typeof__(h->at[0]) last = h->at[--h->size];
  for (int c; (c = 2 * i + 1) < h->size; i = c) {
    if (c + 1 < h->size && h->at[c + 1].cost < h->at[c].cost) c++;
    if (last.cost <= h->at[c].cost) break;
    h->at[i] = h->at[c];
  }
  h->at[i] = last;
  return node;
}

static int parent[N];
static int find(int x) { return parent[x] == x ? x : (parent[x] = find(parent[x])); }

static bool visit(int n, char *state, int *order, int *count) {
  if (state[n] == 1) return false;
  if (state[n] == 2) return true;
  state[n] = 1;
  for (struct edge *e = edges[n]; e; e = e->next)
    if (!visit(e->to, state, order, count)) return false;
  state[n] = 2;
  order[(*count)++] = n;
  return true;
}

static long knapsack(const int *weight, const int *value, int n, int room) {
  long best[room + 1];
  memset(best, 0, sizeof best);
  for (int i = 0; i < n; i++)
    for (int r = room; r >= weight[i]; r--)
      if (best[r - weight[i]] + value[i] > best[r]) best[r] = best[r - weight[i]] + value[i];
  return best[room];
}

int main(void) {
  unsigned x = 3;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      x = x * 69069 + 1;
      int to = i + 1 + (int)(x >> 20) % 4;
      if (to < N) connect(i, to, (int)(x >> 24) % 20 + 1);
    }
  struct heap h = {.size = 0};
  int cost[N], from[N];
  for (int i = 0; i < N; i++) cost[i] = INT_MAX, from[i] = -1;
  cost[0] = 0;
  for (push(&h, 0, 0); h.size;) {
    int c, n = pop(&h, &c);
    if (c > cost[n]) continue;
    for (struct edge *e = edges[n]; e; e = e->next)
      if (c + e->cost < cost[e->to]) {
        cost[e->to] = c + e->cost;
        from[e->to] = n;
        push(&h, cost[e->to], e->to);
      }
  }
  for (int i = 0; i < N; i++) printf("%d:%d<-%d ", i, cost[i] == INT_MAX ? -1 : cost[i], from[i]);
  puts("");
  char state[N] = {0};
  int order[N], count = 0;
  bool acyclic = true;
  for (int i = 0; i < N; i++) acyclic &= visit(i, state, order, &count);
  for (int i = count; i--;) printf("%d ", order[i]);
  connect(N - 1, 0, 1);
  memset(state, 0, sizeof state);
  count = 0;
  printf("%d %d\n", acyclic, visit(0, state, order, &count));
  for (int i = 0; i < N; i++) parent[i] = i;
  for (int i = 0; i < N; i += 2) parent[find(i)] = find(i * 5 % N);
  int groups = 0;
  for (int i = 0; i < N; i++) groups += find(i) == i;
  printf("%d %ld\n", groups, knapsack((int[]){3, 4, 5, 9, 14}, (int[]){3, 4, 4, 10, 15}, 5, 20));
  return 0;
}
