// Arithmetic without floating point. Angles are tenths of a degree, lengths centimetres, sines parts of 10,000.
#pragma once

#define SINE_ONE 10000
#define FULL_CIRCLE 3600
#define HALF_CIRCLE 1800
#define QUARTER_CIRCLE 900

int absolute(int value);
int sign_of(int value);
int clamp(int value, int least, int most);
int scale(int value, int numerator, int denominator);
int interpolate(int x, int x0, int y0, int x1, int y1);
int square_root(long value);

int normalise_angle(int angle);  // between minus and plus half a circle
int sine(int angle);
int cosine(int angle);
int arc_tangent(int y, int x);  // the direction of (x, y); 0 is along x
int distance_between(int x0, int y0, int x1, int y1);
