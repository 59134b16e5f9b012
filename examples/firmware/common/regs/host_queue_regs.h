/* Made of ftlab's hw/regs/host_queue_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_HOST_QUEUE_REGS_H
#define FTLAB_HOST_QUEUE_REGS_H

#include <stdint.h>

/* Register map of the host queue: where requests of a host come in and completions go out, any number in flight.
   Registers have 32 bits and are accessed as words. The queue shows one request, the one that waits for longest;
   HOST_QUEUE_REG_NEXT takes it, and shows the one behind it. The data of a request lie in memory of the host, which the core
   addresses: for a write they are there when the request is shown, and for a read they have to be there when it is
   completed. Requests are completed in any order, each once. The line of the queue rises when a request comes to
   an empty queue. */

#define HOST_QUEUE_WINDOW_BYTES 0x100u
#define HOST_QUEUE_MAGIC 0x51485446u /* "FTHQ" */

#define HOST_QUEUE_REG_MAGIC_AT 0x00u /* read */
#define HOST_QUEUE_REG_WAITING 0x04u /* read: 1: a request is shown */
#define HOST_QUEUE_REG_NEXT 0x08u /* write, any value: the request shown is in flight from now on */
#define HOST_QUEUE_REG_ARRIVAL 0x0Cu /* read: microseconds until the next request comes, rounded down; */
#define HOST_QUEUE_REG_CAUSE 0x10u /* a number of Cause: what the firmware works for, for the books */
#define HOST_QUEUE_REG_REPORT 0x14u /* write: address of the firmware's report; it serves from now on */
#define HOST_QUEUE_REG_EXIT 0x18u /* write: the program has ended, and why as an address of text */
#define HOST_QUEUE_REG_CORE_HZ 0x1Cu /* read: cycles of the core a second */
#define HOST_QUEUE_REG_DONE_TAG 0x20u /* write: of the request that HOST_QUEUE_REG_DONE completes */
#define HOST_QUEUE_REG_DONE 0x24u /* write: its FtlStatus */
/* Of the request that is shown; read. */
#define HOST_QUEUE_REG_KIND 0x40u /* Kind */
#define HOST_QUEUE_REG_TAG 0x44u
#define HOST_QUEUE_REG_OFFSET_LOW 0x48u /* bytes of the device */
#define HOST_QUEUE_REG_OFFSET_HIGH 0x4Cu
#define HOST_QUEUE_REG_LENGTH 0x50u /* bytes */
#define HOST_QUEUE_REG_DATA 0x54u /* address of the data; of a read and of a write */
#define HOST_QUEUE_REG_STREAM 0x58u /* write: WriteHint::stream */
#define HOST_QUEUE_REG_PLACEMENT 0x5Cu /* write: bit 0 WriteHint::read_only, bits 8 to 15 data_class */
#define HOST_QUEUE_REG_REWRITTEN 0x60u /* write: WriteHint::rewritten_in */

#define HOST_QUEUE_UNKNOWN 0xFFFFFFFFu

/* The first four are those of HostRequestKind. Format and mount come alone, before all others. */
enum host_queue_kind { HOST_QUEUE_KIND_READ, HOST_QUEUE_KIND_WRITE, HOST_QUEUE_KIND_TRIM, HOST_QUEUE_KIND_FLUSH, HOST_QUEUE_KIND_FORMAT, HOST_QUEUE_KIND_MOUNT };

#endif
