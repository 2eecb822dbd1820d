#ifndef COUNTER_H
#define COUNTER_H

void counter_add(int amount);
int counter_value(void);

#endif
