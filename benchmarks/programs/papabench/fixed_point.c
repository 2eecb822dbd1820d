#include "fixed_point.h"

// Sines of every fifth degree of a quarter.
static const int kSines[] = {0,    872,  1736, 2588, 3420, 4226, 5000, 5736, 6428, 7071,
                             7660, 8192, 8660, 9063, 9397, 9659, 9848, 9962, 10000};
#define SINE_STEP 50

int absolute(int value) { return value < 0 ? -value : value; }

int sign_of(int value) { return value < 0 ? -1 : value > 0; }

int clamp(int value, int least, int most) {
  if (value < least) return least;
  if (value > most) return most;
  return value;
}

int scale(int value, int numerator, int denominator) {
  return (int)((long)value * numerator / denominator);
}

int interpolate(int x, int x0, int y0, int x1, int y1) {
  if (x1 == x0) return y0;
  return y0 + scale(y1 - y0, x - x0, x1 - x0);
}

int square_root(long value) {
  if (value <= 0) return 0;
  long root = value > 1000000 ? 46340 : 1000;
  for (int i = 0; i < 24; i++) {
    const long next = (root + value / root) / 2;
    if (next == root || next == root + 1) break;
    root = next;
  }
  return (int)root;
}

int normalise_angle(int angle) {
  while (angle > HALF_CIRCLE) angle -= FULL_CIRCLE;
  while (angle <= -HALF_CIRCLE) angle += FULL_CIRCLE;
  return angle;
}

static int sine_of_quarter(int angle) {
  const int index = angle / SINE_STEP;
  if (angle >= QUARTER_CIRCLE) return SINE_ONE;
  return interpolate(angle, index * SINE_STEP, kSines[index], (index + 1) * SINE_STEP, kSines[index + 1]);
}

int sine(int angle) {
  angle = normalise_angle(angle);
  const int positive = absolute(angle);
  const int value = sine_of_quarter(positive > QUARTER_CIRCLE ? HALF_CIRCLE - positive : positive);
  return angle < 0 ? -value : value;
}

int cosine(int angle) { return sine(angle + QUARTER_CIRCLE); }

// The angle of a quarter whose tangent is y / x, by halving: the sines are known, their inverse is not.
static int angle_of_quarter(int y, int x) {
  int least = 0, most = QUARTER_CIRCLE;
  while (least < most) {
    const int middle = (least + most) / 2;
    if ((long)x * sine(middle) < (long)y * cosine(middle)) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

int arc_tangent(int y, int x) {
  if (x == 0 && y == 0) return 0;
  int angle = angle_of_quarter(absolute(y), absolute(x));
  if (x < 0) angle = HALF_CIRCLE - angle;
  return y < 0 ? -angle : angle;
}

int distance_between(int x0, int y0, int x1, int y1) {
  const long dx = x1 - x0, dy = y1 - y0;
  return square_root(dx * dx + dy * dy);
}
