#ifndef ACCOUNT_H
#define ACCOUNT_H

void account_deposit(int amount);
int account_balance(void);

#endif
