@ Runs the programs that follow it, one after the other, and logs what each exception finds. The table `programs` ends
@ with a zero; a program's header is read by `next` below. Nothing here depends on time.
@
@ A handler goes on behind an instruction at fault, or at LANDING where the PC was lost, once it has called the
@ program's routine for the exception. A program ends with the undefined instruction ENDING.
  .syntax unified
  .thumb
  .cpu cortex-m4

  .equ VARS, 0x20000000
  .equ LOG, 0        @ where the next record goes
  .equ LANDING, 4    @ where to go on when a jump led nowhere
  .equ GOOD, 8       @ the EXC_RETURN that a routine has spoilt
  .equ TABLE, 12     @ routines by exception number
  .equ LEFT, 16      @ exceptions whose routine is still called, so that programs end
  .equ EXIT, 20      @ how handlers return
  .equ NUMBER, 24
  .equ RESUME, 28    @ where the thread goes on when nothing answers for its frame
  .equ DATA, 0x20001000
  .equ MAIN_TOP, 0x20008000
  .equ PROCESS_TOP, 0x2000C000
  .equ RECORDS, 0x20010000
  .equ SCS, 0xE000E000
  .equ ENDING, 0xDEFE
  .equ RECORD_BYTES, 4 * 35

  .macro constant reg, value
  movw \reg, #:lower16:(\value)
  movt \reg, #:upper16:(\value)
  .endm

  .word MAIN_TOP, start + 1
  .rept 46
  .word handler + 1
  .endr

  .global start
  .thumb_func
start:
  cpsid i
  constant r8, VARS
  constant r0, RECORDS
  str r0, [r8, #LOG]
  movs r0, #0
  str r0, [r8, #NUMBER]
next:
  ldr r0, [r8, #NUMBER]
  adds r1, r0, #1
  str r1, [r8, #NUMBER]
  ldr r1, =programs
  ldr r2, [r1, r0, lsl #2]
  cmp r2, #0
  beq finished
  ldr r3, [r8, #LOG]
  constant r4, 0x50524F47   @ "PROG"
  stmia r3!, {r4}
  stmia r3!, {r0}
  str r3, [r8, #LOG]
  constant r9, DATA
  constant r1, 0x9E3779B9
  movs r4, #32
1: adds r0, r0, r1
  str r0, [r9], #4
  subs r4, #1
  bne 1b
  movs r0, #20
  str r0, [r8, #LEFT]
  ldmia r2!, {r4-r7}        @ routines, exit, body, number of stores
  str r4, [r8, #TABLE]
  str r5, [r8, #EXIT]
  mov r11, r6
2: cbz r7, 3f
  ldmia r2!, {r0, r1}
  str r1, [r0]
  subs r7, #1
  b 2b
3: ldmia r2!, {r4-r7}        @ APSR, CONTROL, MSP, PSP
  msr psp, r7
  msr msp, r6
  str r11, [r6, #-4]
  str r11, [r7, #-4]
  msr control, r5
  isb
  msr apsr_nzcvqg, r4
  mov r12, r2
  ldr lr, [r12, #52]
  ldmia.w r12, {r0-r12}
  ldr pc, [sp, #-4]

  .thumb_func
finish:
  cpsid i
  movs r0, #0
  msr basepri, r0
  msr faultmask, r0
  msr control, r0
  isb
  constant r1, MAIN_TOP
  mov sp, r1
  constant r8, VARS
  constant r10, SCS
  mvn r1, #0
  str r1, [r10, #0x180]     @ ICER
  str r1, [r10, #0x280]     @ ICPR
  mov r2, #0x0A000000
  str r2, [r10, #0xD04]     @ ICSR: PENDSVCLR, PENDSTCLR
  str r0, [r10, #0xD24]     @ SHCSR
  mov r2, #0x200
  str r2, [r10, #0xD14]     @ CCR
  constant r2, 0x05FA0000
  str r2, [r10, #0xD0C]     @ AIRCR
  str r0, [r10, #0xD18]     @ SHPR
  str r0, [r10, #0xD1C]
  str r0, [r10, #0xD20]
  add r3, r10, #0x400       @ IPR
  movs r4, #8
1: str r0, [r3], #4
  subs r4, #1
  bne 1b
  ldr r3, [r8, #LOG]
  constant r2, 0x444F4E45   @ "DONE"
  stmia r3!, {r2}
  constant r5, DATA
  bl copy
  sub r5, sp, #128
  bl copy
  constant r5, PROCESS_TOP - 128
  bl copy
  str r3, [r8, #LOG]
  b next
copy:
  movs r4, #32
1: ldr r0, [r5], #4
  str r0, [r3], #4
  subs r4, #1
  bne 1b
  bx lr

  .thumb_func
handler:
  tst lr, #4
  ite eq
  mrseq r1, msp
  mrsne r1, psp             @ r1: the frame
  constant r2, VARS
  ldr r3, [r2, #LOG]
  add r12, r3, #RECORD_BYTES
  str r12, [r2, #LOG]
  mrs r0, ipsr
  str r0, [r3], #4
  str lr, [r3], #4
  .irp special, msp, psp, control, primask, basepri, faultmask
  mrs r0, \special
  str r0, [r3], #4
  .endr
  stmia r3!, {r4-r11}
  lsr r0, r1, #22
  cmp r0, #VARS >> 22
  beq 1f
  constant r1, PROCESS_TOP - 64   @ nothing answers on the stack: a frame that leads to RESUME
  msr psp, r1
  movs r0, #0
  .irp word, 0, 4, 8, 12, 16, 20
  str r0, [r1, #\word]
  .endr
  constant r2, VARS
  ldr r0, [r2, #RESUME]
  bic r0, #1
  str r0, [r1, #24]
  mov r0, #0x01000000
  str r0, [r1, #28]
1:
  .irp word, 0, 4, 8, 12, 16, 20, 24, 28
  ldr r0, [r1, #\word]
  str r0, [r3], #4
  .endr
  constant r2, DATA
  ldr r0, [r2, #124]
  strex r12, r0, [r2, #124] @ 1: the exception has cleared the monitor
  str r12, [r3], #4
  constant r2, SCS
  .irp offset, 0x200, 0x300, 0xD04, 0xD14, 0xD20, 0xD24, 0xD34, 0xD38, 0xD2C, 0xD28
  ldr r0, [r2, #\offset]
  str r0, [r3], #4
  .endr
  str r0, [r2, #0xD28]
  mov r12, r0               @ r12: CFSR
  mvn r0, #0
  str r0, [r2, #0xD2C]      @ HFSR
  mrs r0, ipsr
  cmp r0, #3
  blo call
  cmp r0, #6
  bhi call
  tst r12, #0x1800          @ STKERR, UNSTKERR
  bne call
  constant r0, 0x20101      @ INVSTATE, IBUSERR, IACCVIOL
  tst r12, r0
  bne lost
  tst r12, #0x40000         @ INVPC
  bne returned
  cmp r12, #0               @ SVC that has become a HardFault: the PC is behind it
  beq call
  ldr r0, [r1, #24]
  ldrh r2, [r0]
  movw r3, #ENDING
  cmp r2, r3
  beq end
  cmp r2, #0xE800
  ite lo
  addlo r0, #2
  addhs r0, #4
  str r0, [r1, #24]
  ldr r0, [r1, #28]         @ ITSTATE goes on as well
  ubfx r2, r0, #10, #6
  ubfx r3, r0, #25, #2
  orr r2, r3, r2, lsl #2
  ands r3, r2, #7
  beq 1f
  and r3, r2, #0xE0
  and r2, #15
  orr r3, r3, r2, lsl #1
1: lsr r2, r3, #2
  bfi r0, r2, #10, #6
  bfi r0, r3, #25, #2
  str r0, [r1, #28]
  b call
end:
  ldr r0, =finish
  mrs r2, control
  bic r2, #1
  msr control, r2
  b 2f
lost:
  constant r2, VARS
  ldr r0, [r2, #LANDING]
2: bic r0, #1
  str r0, [r1, #24]
  ldr r0, [r1, #28]
  constant r2, 0x0600FC00
  bic r0, r2
  orr r0, #0x01000000
  str r0, [r1, #28]
  b call
returned:
  constant r2, VARS
  ldr lr, [r2, #GOOD]
call:
  constant r2, VARS
  push {lr}
  ldr r0, [r2, #LEFT]
  subs r0, #1
  bmi 1f
  str r0, [r2, #LEFT]
  mrs r0, ipsr
  ldr r3, [r2, #TABLE]
  ldr r3, [r3, r0, lsl #2]
  blx r3
1: constant r2, VARS
  ldr r0, [r2, #EXIT]
  bx r0

  .thumb_func
exit_pop:
  pop {pc}
  .thumb_func
exit_bx:
  pop {r0}
  bx r0
  .thumb_func
exit_ldr:
  ldr pc, [sp], #4
  .thumb_func
exit_ldm:
  sub sp, #4
  ldmia.w sp!, {r3, pc}
  .thumb_func
nothing:
  bx lr

@ Our core stops here; the rest writes the file "log" by semihosting.
  .global finished
  .thumb_func
finished:
  movs r0, #1               @ SYS_OPEN
  ldr r1, =1f
  bkpt 0xAB
  ldr r2, =RECORDS
  ldr r3, [r8, #LOG]
  subs r3, r2
  push {r0, r2, r3}
  mov r1, sp
  movs r0, #5               @ SYS_WRITE
  bkpt 0xAB
  movs r0, #0x18            @ SYS_EXIT
  constant r1, 0x20026
  bkpt 0xAB
  .ltorg
  .balign 4
1: .word 2f, 5, 3
2: .asciz "log"
  .balign 4
