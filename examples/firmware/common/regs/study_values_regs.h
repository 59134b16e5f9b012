/* Made of ftlab's hw/regs/study_values_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_STUDY_VALUES_REGS_H
#define FTLAB_STUDY_VALUES_REGS_H

#include <stdint.h>

/* Register map of the study values: numbers that whoever simulates gives a firmware of one's own, by names which
   that firmware has chosen; silicon has none.  Registers have 32 bits and are accessed as words. A name is written
   character by character; the zero behind it has the value shown, until the next character is written. */

#define STUDY_VALUES_WINDOW_BYTES 0x100u
#define STUDY_VALUES_LONGEST_NAME 63 /* characters */

#define STUDY_VALUES_REG_NAME 0x00u /* write: the next character of a name; 0 ends it */
#define STUDY_VALUES_REG_FOUND 0x04u /* read: 1: the study gives a value of the name that has ended */
#define STUDY_VALUES_REG_VALUE 0x08u /* read: that value; else 0 */

#endif
