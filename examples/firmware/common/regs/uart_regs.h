/* Made of ftlab's hw/regs/uart_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_UART_REGS_H
#define FTLAB_UART_REGS_H

#include <stdint.h>

/* Registers of a UART that sends alone, laid out as the "PrimeCell UART (PL011) Technical Reference Manual" (DDI
   0183) has them. Bytes, halfwords or words are written and read. */

#define UART_WINDOW_BYTES 0x1000u

#define UART_REG_DATA 0x00u /* write: a character; read: 0, nothing is received */
#define UART_REG_FLAGS 0x18u /* read: UART_NOTHING_TO_SEND | UART_NOTHING_RECEIVED */
#define UART_REG_BAUD_INTEGER 0x24u /* kept; so are the next three */
#define UART_REG_BAUD_FRACTION 0x28u
#define UART_REG_LINE_CONTROL 0x2Cu
#define UART_REG_CONTROL 0x30u

#define UART_NOTHING_TO_SEND 0x80u /* TXFE */
#define UART_NOTHING_RECEIVED 0x10u /* RXFE */

#endif
