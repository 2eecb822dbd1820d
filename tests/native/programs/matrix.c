// Matrices: VLAs, pointers to arrays, Gaussian elimination, determinants, float and double.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void multiply(int n, int m, int k, double a[n][m], double b[m][k], double c[n][k]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      c[i][j] = 0;
      for (int l = 0; l < m; l++) c[i][j] += a[i][l] * b[l][j];
    }
}

static double determinant(int n, double (*m)[n]) {
  double work[n][n];
  memcpy(work, m, sizeof work);
  double det = 1;
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(work[r][c]) > fabs(work[p][c])) p = r;
    if (work[p][c] == 0) return 0;
    if (p != c) {
      double row[n];
      memcpy(row, work[p], sizeof row);
      memcpy(work[p], work[c], sizeof row);
      memcpy(work[c], row, sizeof row);
      det = -det;
    }
    det *= work[c][c];
    for (int r = c + 1; r < n; r++) {
      double f = work[r][c] / work[c][c];
      for (int k = c; k < n; k++) work[r][k] -= f * work[c][k];
    }
  }
  return det;
}

static void print(int rows, int columns, double m[rows][columns]) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) printf("%10.4f", m[i][j]);
    puts("");
  }
}

int main(void) {
  double a[3][2] = {{1, 2}, {3, 4}, {5, 6}}, b[2][4] = {{1, 0, 2, -1}, {0.5, 1, -2}}, c[3][4];
  multiply(3, 2, 4, a, b, c);
  print(3, 4, c);
  for (int n = 1; n <= 7; n++) {
    double(*m)[n] = malloc(sizeof(double[n][n]));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i][j] = 1.0 / (i + j + 1);
    printf("%d %zu %.6e\n", n, sizeof *m, determinant(n, m));
    free(m);
  }
  float identity[4][4] = {[0][0] = 1, [1][1] = 1, [2][2] = 1, [3][3] = 1}, sum = 0;
  for (int i = 0; i < 16; i++) sum += (&identity[0][0])[i] * (float)i * 0.1f;
  printf("%.8g\n", sum);
  int jagged[3][4] = {{1}, {2, 3}, {4, 5, 6}}, *flat = *jagged;
  for (int i = 0; i < 12; i++) printf("%d", flat[i]);
  puts("");
  return 0;
}
