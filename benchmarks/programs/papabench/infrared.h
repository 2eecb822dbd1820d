// The infrared sensors: the difference between the warm ground and the cold sky tells how the aircraft lies.
#pragma once

#define IR_SAMPLES 4

struct IrReading {
  int roll;   // tenths of a degree
  int pitch;
  int contrast;
};

void infrared_add_sample(int left_right, int front_back, int top);  // raw values of the converter
struct IrReading infrared_read(void);
