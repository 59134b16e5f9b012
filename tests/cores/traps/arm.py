"""Random programs with exceptions for ARMv7-M, as assembly text behind arm.s, and what their log holds."""

from __future__ import annotations

from writer import Writer

PREFIX = "arm-none-eabi-"
ASSEMBLE = ("as",)
LINK = ("ld", "-Ttext=0")
# Instructions one at a time, so that what a store makes pending is taken behind it.
QEMU = ("qemu-system-arm", "-M", "mps2-an386", "-singlestep")

RECORD = (
    "exception", "EXC_RETURN", "MSP", "PSP", "CONTROL", "PRIMASK", "BASEPRI", "FAULTMASK",
    "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11",
    "frame R0", "frame R1", "frame R2", "frame R3", "frame R12", "frame LR", "frame PC", "frame xPSR",
    "STREX", "ISPR", "IABR", "ICSR", "CCR", "SHPR3", "SHCSR", "MMFAR", "BFAR", "HFSR", "CFSR",
)  # fmt: skip
SHORTLY = ("exception", "frame PC", "CFSR", "EXC_RETURN", "IABR", "ISPR")
END_WORDS = 96

_DATA = 0x20001000
_SCS = 0xE000E000
# Nothing answers there on either machine; from 0xA0000000 on nothing is executed either.
_BAD = (0x30000000, 0x3FFF0000, 0x68000000, 0x90000000, 0xA8000000, 0xD0000000)
_CONDITIONS = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")


def normal(record: dict[str, int]) -> dict[str, int]:
    """Without what the manual calls UNKNOWN: addresses of faults that are not valid."""
    if not record["CFSR"] & 0x8000:
        record["BFAR"] = 0
    if not record["CFSR"] & 0x80:
        record["MMFAR"] = 0
    return record


class ArmWriter(Writer):
    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed, number)
        # In handlers of NMI and HardFault a fault would lock the core up.
        self.may_fault = True

    def low(self) -> str:
        return f"r{self.dice.randrange(8)}"

    def constant(self, register: str, value: int) -> None:
        self.add(f"constant {register}, {value:#x}")

    def plain(self) -> str:
        """An instruction that may stand in an IT block as well."""
        d = self.dice
        a, b, c = self.low(), self.low(), self.low()
        return d.choice((
            f"add{{s}}{{c}} {a}, {b}, {c}", f"sub{{s}}{{c}} {a}, {b}, #{d.randrange(8)}", f"eor.w {a}, {b}, {c}",
            f"mov{{s}}{{c}} {a}, #{d.randrange(256)}", f"cmp{{c}} {a}, {b}", f"adcs.w {a}, {b}, {c}",
            f"str{{c}} {a}, [r9, #{4 * d.randrange(16)}]", f"ldr{{c}} {a}, [r9, #{4 * d.randrange(16)}]",
            f"strb{{c}} {a}, [r9, #{d.randrange(64)}]", f"ldrh{{c}} {a}, [r9, #{2 * d.randrange(32)}]",
            f"uadd8{{c}} {a}, {b}, {c}", f"qadd{{c}} {a}, {b}, {c}", f"mrs{{c}} {a}, {d.choice(('xpsr', 'iepsr', 'control', 'psp', 'basepri'))}",
        ))  # fmt: skip

    def one(self, text: str, condition: str = "") -> None:
        """The text's {s} and {c} filled in: outside IT blocks flags are set by short instructions."""
        stem, wide, rest = text.partition(".w ")
        if wide:
            self.add(f"{stem}{condition}{wide}{rest}")
        else:
            self.add(text.replace("{s}", "" if condition else "s").replace("{c}", condition))

    def access(self) -> str:
        """An access by r0 that may fail."""
        d = self.dice
        t, t2 = d.sample(("r1", "r2", "r3", "r4"), 2)
        return d.choice((
            f"ldr{{c}} {t}, [r0]", f"str{{c}} {t}, [r0, #{4 * d.randrange(8)}]", f"ldrb{{c}} {t}, [r0, #1]", f"strb{{c}} {t}, [r0, #3]",
            f"ldrh{{c}} {t}, [r0, #2]", f"ldrsh.w {t}, [r0, #2]", f"ldr{{c}} {t}, [r0], #4", f"str{{c}} {t}, [r0, #8]!",
            f"ldrd{{c}} {t}, {t2}, [r0]", f"strd{{c}} {t}, {t2}, [r0], #8", f"ldm{{c}} r0!, {{r1, r2, r3}}", f"stm{{c}} r0!, {{r1-r4}}",
            f"ldmdb{{c}} r0, {{r1, r3, r12}}", f"stmdb{{c}} r0!, {{r1, r5}}", f"ldrex{{c}} {t}, [r0]", f"ldrsb.w {t}, [r0]",
        ))  # fmt: skip

    # Pieces of programs.

    def some_plain(self) -> None:
        for _ in range(self.dice.randint(1, 3)):
            self.one(self.plain())

    def call_supervisor(self) -> None:
        self.add(f"svc #{self.dice.randrange(256)}")

    def undefined(self) -> None:
        # BKPT is no debug event for QEMU, but a fault that has become a HardFault.
        self.add(self.dice.choice((
            f".inst.n {0xDE00 | self.dice.randrange(0xF0):#x}", f".inst.w {0xF7F0A000 | self.dice.randrange(16):#x}",
            "mrc p15, 0, r0, c0, c0, 0", "mcr p3, 1, r0, c1, c2, 3", ".inst.w 0xee000a10", "cdp p1, 0, c0, c1, c2, 0",
        )))  # fmt: skip

    def bad_access(self) -> None:
        self.constant("r0", self.dice.choice(_BAD) + 4 * self.dice.randrange(64))
        self.one(self.access())

    def odd_access(self) -> None:
        d = self.dice
        self.constant("r0", _DATA + 64 + d.choice((1, 2, 3)))
        t, t2 = d.sample(("r1", "r2", "r3", "r4"), 2)
        self.add(d.choice((
            f"ldr {t}, [r0]", f"str {t}, [r0]", f"ldrh {t}, [r0]", f"strh {t}, [r0, #4]", f"ldr {t}, [r0], #4", f"str {t}, [r0, #4]!", f"ldrsh {t}, [r0]",
            f"ldrd {t}, {t2}, [r0]", f"strd {t}, {t2}, [r0], #8", "ldm r0!, {r1, r2, r3}", "stm r0!, {r1-r4}", f"ldrex {t}, [r0]",
        )))  # fmt: skip

    def divide(self) -> None:
        d = self.dice
        self.add(f"movs r1, #{d.choice((0, 0, 0, 3))}", f"{d.choice(('udiv', 'sdiv'))} {self.low()}, {self.low()}, r1")

    def jump_nowhere(self) -> None:
        """Fetches that fail, and even addresses."""
        d = self.dice
        label = self.label()
        self.add(f"ldr r0, ={label}", "str r0, [r8, #4]")
        target = d.choice(_BAD) + 4 * d.randrange(64) + 1
        if self.thread and d.random() < 0.2:
            target = d.choice((0xFFFFFFF9, 0xFFFFFFF1, 0xE0001001))
        if d.random() < 0.3:
            # Where nothing answers QEMU finds the fetch at fault, and a halfword's address unaligned, before it sees that
            # the address is even.
            self.add(f"ldr r1, ={label}")
        else:
            self.constant("r1", target)
        jumps = ["bx r1", "ldr pc, [sp], #4", "pop {pc}", "ldmia.w sp!, {r2, pc}"]
        if self.thread:
            jumps += ["blx r1", "mov pc, r1"]
        jump = d.choice(jumps)
        if "sp" in jump or "pop" in jump:
            self.add("push {r1}" if "r2" not in jump else "push {r0, r1}")
        self.add(jump, "  .balign 4", f"{label}:")

    def pend(self) -> None:
        d = self.dice
        choice = d.randrange(5)
        if choice < 2:
            self.constant("r0", self.word() | 1 << d.randrange(32))
            self.add("str r0, [r10, #0x200]")
        elif choice == 2:
            self.add(f"movs r0, #{d.randrange(40)}", "str r0, [r10, #0xF00]")
        else:
            bits = d.choice((1 << 26, 1 << 28, 1 << 28 | 1 << 26, 1 << 31 if self.may_fault else 1 << 28))
            self.constant("r0", bits)
            self.add("str r0, [r10, #0xD04]")

    def set_up(self) -> None:
        """Registers of the NVIC and the system control block that change who interrupts whom."""
        d = self.dice
        choice = d.randrange(6)
        if choice == 0:
            self.constant("r0", self.word())
            self.add(f"str r0, [r10, #{d.choice((0x100, 0x180, 0x280)):#x}]")
        elif choice == 1:
            self.add(f"movs r0, #{d.choice((0, 32, 64, 128, 192, 255, d.randrange(256)))}", f"strb r0, [r10, #{0x400 + d.randrange(32):#x}]")
        elif choice == 2:
            self.add(f"movs r0, #{d.choice((0, 32, 64, 128, 192, 255, d.randrange(256)))}", f"strb r0, [r10, #{d.choice((0xD19, 0xD1A, 0xD1F, 0xD22, 0xD23)):#x}]")
        elif choice == 3:
            self.add("movs r0, #0", "ldr r0, [r10, #0xD24]", f"eor r0, r0, #{1 << d.choice((16, 17, 18)):#x}", "str r0, [r10, #0xD24]")
        elif choice == 4:
            # Where there is a frame already, QEMU does not look at STKALIGN when it is popped.
            self.add("movs r0, #0", "ldr r0, [r10, #0xD14]", f"eor r0, r0, #{d.choice((8, 16, 512) if self.thread else (8, 16)):#x}", "str r0, [r10, #0xD14]")
        else:
            self.add(f"ldr r{d.choice((1, 2, 3))}, [r10, #{d.choice((0x100, 0x200, 0x300, 0x400, 0xD0C, 0xD14, 0xD18, 0xD1C)):#x}]")

    def mask(self) -> None:
        d = self.dice
        choice = d.randrange(6)
        if choice < 2:
            self.add(d.choice(("cpsid i", "cpsie i", "cpsie i")))
        elif choice < 5:
            self.add(f"movs r0, #{d.choice((0, 0, 32, 64, 128, 192, d.randrange(256)))}", f"msr {d.choice(('basepri', 'basepri_max'))}, r0")
        else:
            self.add("cpsid f")
            faults, self.may_fault = self.may_fault, False
            for _ in range(d.randrange(3)):
                d.choice((self.some_plain, self.pend, self.set_up))()
            self.may_fault = faults
            self.add("cpsie f")

    def block(self) -> None:
        """An IT block, of whose instructions some end in an exception."""
        d = self.dice
        condition = d.choice(_CONDITIONS)
        index = _CONDITIONS.index(condition)
        places = "".join(d.choice("te") for _ in range(d.randrange(4)))
        bad = d.choice(_BAD)
        self.constant("r0", bad if self.may_fault else _DATA)
        self.add(f"it{places} {condition}")
        for place in "t" + places:
            own = condition if place == "t" else _CONDITIONS[index ^ 1]
            kind = d.randrange(8)
            if kind < 3:
                self.one(self.plain().replace("r0, ", "r1, ", 1), own)
            elif kind == 3:
                self.add(f"str{own} r{d.randrange(1, 8)}, [r10, #0x200]")
            elif kind == 4 and self.may_fault:
                self.add(f"svc{own} #{d.randrange(256)}")
            elif kind == 5 and self.may_fault:
                self.add(f"udiv{own} r1, r2, r3")
            else:
                self.one(self.access() if self.may_fault else "mov{c} r1, r2", own)
        if self.thread:
            self.add("mov r0, r1")

    def stack(self) -> None:
        """Stores several registers and loads them again, with an exception between."""
        d = self.dice
        registers = ", ".join(f"r{n}" for n in sorted(d.sample(range(8), d.randint(1, 4))))
        self.add(f"push {{{registers}}}")
        d.choice((self.call_supervisor, self.undefined, self.divide, self.bad_access) if self.may_fault else (self.some_plain,))()
        self.add(f"pop {{{registers}}}")

    def exclusive(self) -> None:
        # QEMU compares values, so that nothing else writes this word.
        self.add("ldrex r1, [r9, #124]")
        self.dice.choice((self.call_supervisor, self.pend, self.some_plain) if self.may_fault else (self.some_plain,))()
        self.add("strex r2, r1, [r9, #124]")

    def bad_stack(self) -> None:
        """An exception in thread mode whose frame nothing answers for."""
        label = self.label()
        self.add(f"ldr r0, ={label}", "str r0, [r8, #28]")
        self.constant("r1", self.dice.choice(_BAD) + 4 * self.dice.randrange(16, 64))
        self.add("msr psp, r1", "movs r0, #0")
        self.dice.choice((self.call_supervisor, self.undefined, self.divide, self.pend, self.bad_access))()
        self.add("  .balign 4", f"{label}:")
        self.constant("r1", 0x2000BF80)
        self.add("msr psp, r1")

    def lose_privilege(self) -> None:
        self.add(f"movs r0, #{self.dice.choice((0, 1, 1, 2, 3))}", "msr control, r0", "isb")

    def get_privilege(self) -> None:
        self.add("mrs r0, control", "bic r0, #1", "msr control, r0")

    def spoil_return(self) -> None:
        """A value of EXC_RETURN that does not fit, when nothing else is pending."""
        self.add("mvn r0, #0", "str r0, [r10, #0x280]", "mov r0, #0x0A000000", "str r0, [r10, #0xD04]")
        self.add("ldr r0, [r10, #0xD24]", "bic r0, #0xF000", "str r0, [r10, #0xD24]")
        # To thread mode from a nested handler, or a value that is reserved: QEMU pops the frame where a handler that
        # has interrupted none returns to one.
        self.add("ldr r0, [sp]", "str r0, [r8, #8]", "tst r0, #8", "ite eq", "mvneq r0, #6", "mvnne r0, #10", "str r0, [sp]")

    def body(self, pieces: int) -> None:
        safe = (self.some_plain, self.pend, self.set_up, self.mask, self.block)
        unsafe = (self.call_supervisor, self.undefined, self.bad_access, self.odd_access, self.divide, self.jump_nowhere, self.stack, self.exclusive)
        for _ in range(pieces):
            self.dice.choice(safe + unsafe if self.may_fault else safe)()
            if self.thread and self.dice.random() < 0.05:
                self.lose_privilege()
            if self.thread and self.dice.random() < 0.1:
                self.bad_stack()

    def routine(self, exception: int) -> str:
        label = f"{self.name}_x{exception}"
        self.thread, self.may_fault = False, exception > 3
        self.add("  .thumb_func", f"{label}:")
        self.body(self.dice.randint(1, 2))
        if self.dice.random() < 0.3:
            self.get_privilege()
        if exception > 2 and self.dice.random() < 0.1:
            self.spoil_return()
        elif exception > 2 and self.dice.random() < 0.1:
            self.add("cpsid f")  # which the return undoes
        elif exception > 2 and self.dice.random() < 0.1:
            self.constant("r0", self.dice.choice(_BAD))
            self.add("msr psp, r0")  # where the return may look for the frame
        self.add("bx lr")
        return label

    def program(self) -> str:
        d = self.dice
        self.thread, self.may_fault = True, True
        self.add("  .thumb_func", f"{self.name}_body:")
        if d.random() < 0.9:
            self.add("cpsie i")
        self.body(d.randint(3, 9))
        self.add(f"{self.name}_end:", ".inst.n 0xdefe")
        some = d.sample(range(2, 48), 8) + d.sample((3, 4, 5, 6, 11, 14, 15), 3)
        routines = {exception: self.routine(exception) for exception in sorted(set(some)) if exception not in (7, 8, 9, 10, 12, 13)}
        self.add("  .ltorg", "  .balign 4", f"{self.name}_routines:")
        self.add("  .word " + ", ".join(routines.get(i, "nothing") + "+1" for i in range(48)))
        self.add(f"{self.name}:", *self.header())
        return "\n".join(self.lines)

    def header(self) -> list[str]:
        d = self.dice
        levels = [d.randrange(256) for _ in range(3)] + [0, 255]
        stores = [(_SCS + 0xD0C, 0x05FA0000 | d.choice((0, 0, d.randrange(8))) << 8), (_SCS + 0xD14, d.choice((0x200, 0x200, 0)) | d.choice((0, 8, 16, 24)))]
        stores += [(_SCS + 0xD24, d.choice((0, 0x70000, 0x70000, d.getrandbits(3) << 16))), (_SCS + 0x100, self.word() | self.word())]
        stores += [(_SCS + 0x400 + 4 * i, sum(d.choice(levels) << 8 * byte for byte in range(4))) for i in range(8)]
        stores += [(_SCS + at, sum(d.choice(levels) << 8 * byte for byte in range(4))) for at in (0xD18, 0xD1C, 0xD20)]
        if d.random() < 0.5:
            stores += [(_SCS + 0x200, self.word())]
        registers = [self.word() for _ in range(14)]
        registers[8:11] = [0x20000000, _DATA, _SCS]
        main, process = 0x20008000 - 4 * d.randrange(1, 5), 0x2000C000 - 4 * d.randrange(1, 5)
        words = [value for store in stores for value in store]
        words += [self.word() & 0xF80F0000, d.choice((0, 2)), main, process, *registers]
        leave = d.choice(("exit_pop", "exit_bx", "exit_ldr", "exit_ldm"))
        return [f"  .word {self.name}_routines, {leave} + 1, {self.name}_body + 1, {len(stores) + 1}, 0x2000001C, {self.name}_end", "  .word " + ", ".join(f"{word:#x}" for word in words)]


def program(seed: int, number: int) -> str:
    """Text of the program, whose label is p and its number."""
    return ArmWriter(seed, number).program()
