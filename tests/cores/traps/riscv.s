# Runs the programs that follow it, one after the other, and logs what each trap finds. The table `programs` ends with a
# zero; a program's header is read by `next` below. Lines of interrupts are those of QEMU's virt machine. Nothing here
# depends on time: mtimecmp is zero or never reached.
#
# A handler goes on behind an instruction at fault, or at LANDING where the PC was lost, once the program's routine for
# the cause has been executed. A program ends with the illegal instruction ENDING. t4 to t6 are the handler's.
  .option arch, +zicsr
  .equ VARS, 0x803F0000
  .equ LOG, 0        # where the next record goes
  .equ LANDING, 4    # where to go on when a jump led nowhere
  .equ TABLE, 8      # routines by cause, those of interrupts from 16 on
  .equ LEFT, 12      # traps whose routine is still executed, so that programs end
  .equ LOWERS, 16    # handlers of interrupts lower all lines, or disable theirs
  .equ NUMBER, 20
  .equ FREE, 24      # behind the traps that are being handled: mepc, mstatus
  .equ DATA, 0x803F1000
  .equ TRAPS, 0x803F2000
  .equ RECORDS, 0x80400000
  .equ ENDING, 0x8002
  .equ RECORD_BYTES, 4 * 36

  .macro lower_lines
  li t4, 0x02004000
  li t5, -1
  sw t5, 0(t4)              # mtimecmp
  sw t5, 4(t4)
  li t4, 0x02000000
  sw zero, 0(t4)            # msip
  li t4, 0x10000001
  sb zero, 0(t4)            # IER
  li t4, 0x0C200004
  lw t5, 0(t4)              # the PLIC keeps the interrupt until it is claimed
  li t5, 10
  sw t5, 0(t4)
  .endm

  .globl start
start:
  csrci mstatus, 8
  li t4, 0x0C000028         # of the PLIC: priority of the UART's interrupt, which is enabled, and no threshold
  li t5, 1
  sw t5, 0(t4)
  li t4, 0x0C002000
  li t5, 1 << 10
  sw t5, 0(t4)
  li t4, 0x0C200000
  sw zero, 0(t4)
  li s11, VARS
  li t0, RECORDS
  sw t0, LOG(s11)
  sw zero, NUMBER(s11)
next:
  lower_lines
  lw t0, NUMBER(s11)
  addi t1, t0, 1
  sw t1, NUMBER(s11)
  la t1, programs
  slli t2, t0, 2
  add t1, t1, t2
  lw t6, 0(t1)              # t6: the header
  bnez t6, 1f
  j finished
1:
  lw t1, LOG(s11)
  li t2, 0x50524F47         # "PROG"
  sw t2, 0(t1)
  sw t0, 4(t1)
  addi t1, t1, 8
  sw t1, LOG(s11)
  li t1, DATA
  li t2, 64
  li t3, 0x9E3779B9
1: add t0, t0, t3
  sw t0, 0(t1)
  addi t1, t1, 4
  addi t2, t2, -1
  bnez t2, 1b
  li t0, TRAPS
  sw t0, FREE(s11)
  li t0, 20
  sw t0, LEFT(s11)
  lw t0, 0(t6)
  sw t0, TABLE(s11)
  lw t0, 8(t6)
  sw t0, LOWERS(s11)
  lw t0, 4(t6)
  csrw mepc, t0
  .irp field, mtvec, mie, mstatus, mscratch, mcause, mtval
  lw t0, 12(t6)
  csrw \field, t0
  addi t6, t6, 4
  .endr
  .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
  lw x\number, 12(t6)
  addi t6, t6, 4
  .endr
  mret

finish:
  csrci mstatus, 8
  csrw mie, zero
  li s11, VARS
  lw t1, LOG(s11)
  li t2, 0x444F4E45         # "DONE"
  sw t2, 0(t1)
  addi t1, t1, 4
  li t0, DATA
  li t2, 64
1: lw t3, 0(t0)
  sw t3, 0(t1)
  addi t0, t0, 4
  addi t1, t1, 4
  addi t2, t2, -1
  bnez t2, 1b
  sw t1, LOG(s11)
  j next

  .balign 64
vectors:
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  c.li t6, \number
  c.j trapped
  .endr
  .balign 64
others:
  .irp number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  c.li t6, \number
  c.j trapped
  .endr

trapped:
  li t5, VARS
  lw t4, LOG(t5)
  sw t6, 0(t4)
  .set place, 4
  .irp field, mcause, mepc, mtval, mstatus, mie, mip, mscratch
  csrr t6, \field
  sw t6, place(t4)
  .set place, place + 4
  .endr
  .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
  sw x\number, place(t4)
  .set place, place + 4
  .endr
  addi t4, t4, RECORD_BYTES
  sw t4, LOG(t5)
  csrr t6, mcause
  bltz t6, interrupt
  li t5, 1
  beq t6, t5, lost
  li t5, 3
  bne t6, t5, 1f
  csrw mtval, zero          # of EBREAK it may be zero or the PC
1: csrr t4, mepc
  lhu t5, 0(t4)
  li t6, ENDING
  beq t5, t6, end
  andi t5, t5, 3
  addi t5, t5, -3
  addi t4, t4, 2
  bnez t5, 1f
  addi t4, t4, 2
1: csrw mepc, t4
  j call
lost:
  li t5, VARS
  lw t4, LANDING(t5)
  csrw mepc, t4
  j call
end:
  la t4, finish
  csrw mepc, t4
  li t4, 0x80
  csrc mstatus, t4
  mret
interrupt:
  li t5, VARS
  lw t4, LOWERS(t5)
  bnez t4, 1f
  li t4, 1
  sll t4, t4, t6
  csrc mie, t4
  j call
1: lower_lines
call:
  li t5, VARS
  lw t4, LEFT(t5)
  addi t4, t4, -1
  bltz t4, leave
  sw t4, LEFT(t5)
  lw t4, FREE(t5)
  csrr t6, mepc
  sw t6, 0(t4)
  csrr t6, mstatus
  sw t6, 4(t4)
  addi t4, t4, 8
  sw t4, FREE(t5)
  csrr t6, mcause
  srli t4, t6, 31
  slli t4, t4, 4
  andi t6, t6, 15
  add t6, t6, t4
  slli t6, t6, 2
  lw t4, TABLE(t5)
  add t4, t4, t6
  lw t4, 0(t4)
  jr t4
nothing:
  csrci mstatus, 8
done:                       # with interrupts disabled
  li t5, VARS
  lw t4, FREE(t5)
  addi t4, t4, -8
  sw t4, FREE(t5)
  lw t6, 0(t4)
  csrw mepc, t6
  lw t6, 4(t4)
  csrw mstatus, t6
leave:
  mret

# Our core stops here; the rest writes the file "log" by semihosting.
  .globl finished
finished:
  .macro semihosting
  .balign 16
  .option push
  .option norvc
  slli zero, zero, 31
  ebreak
  srai zero, zero, 7
  .option pop
  .endm
  li a0, 1                  # SYS_OPEN
  la a1, 1f
  semihosting
  la a1, 3f
  sw a0, 0(a1)
  li a2, RECORDS
  sw a2, 4(a1)
  lw a3, LOG(s11)
  sub a3, a3, a2
  sw a3, 8(a1)
  li a0, 5                  # SYS_WRITE
  semihosting
  li a0, 0x00100000         # the machine's power; SYS_EXIT would hang
  li a1, 0x5555
  sw a1, 0(a0)
4: j 4b
  .balign 4
1: .word 2f, 5, 3
3: .word 0, 0, 0
2: .asciz "log"
  .balign 4
