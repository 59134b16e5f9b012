/* The part of the test: arrays of this machine, in test/emulated.c, which lose power when it is due. */
#ifndef EMULATED_H
#define EMULATED_H

/* Ends the test where it does not hold. */
void require(int holds, const char* what);
/* To be called in the midst of each program and each erase. */
void lose_power_if_due(void);

/* So many have been done. */
extern unsigned emulated_erases;

#endif
