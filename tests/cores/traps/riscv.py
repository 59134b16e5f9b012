"""Random programs with traps for RV32IMAC in machine mode, as assembly text behind riscv.s, and what their log holds."""

from __future__ import annotations

from writer import Writer

PREFIX = "riscv64-unknown-elf-"
ASSEMBLE = ("as", "-march=rv32imac", "-mabi=ilp32")
LINK = ("ld", "-melf32lriscv", "-N", "--no-warn-rwx-segments", "-Ttext=0x80000000")
# Instructions one at a time, so that an interrupt that a store raises is taken behind it.
# With its advanced interrupts it takes the external one first, as the manual says.
QEMU = ("qemu-system-riscv32", "-M", "virt", "-bios", "none", "-singlestep", "-cpu", "rv32,f=off,d=off,s=off,u=off,h=off,x-smaia=on,pmp=off,mmu=off")

RECORD = ("vector", "mcause", "mepc", "mtval", "mstatus", "mie", "mip", "mscratch", *(f"x{number}" for number in range(1, 29)))
SHORTLY = ("vector", "mcause", "mepc", "mtval", "mie", "mip")
END_WORDS = 64

_DATA = 0x803F1000
_BAD = (0x50000, 0x08000000, 0x90000000, 0xA0001000, 0xFFFF0000)
# Not medeleg, mideleg and SFENCE.VMA, which QEMU has without supervisor mode as well.
_MISSING = (0x000, 0x001, 0x105, 0x180, 0x7C0, 0x800, 0xBC0, 0xFC0)
_READ_ONLY = (0xF11, 0xF12, 0xF13, 0xF14)
_ILLEGAL = (
    0xFFFFFFFF, 0x00003003, 0x00002063, 0x00001067, 0x10200073, 0x00200073, 0x7B200073, 0x40001033, 0x02001013,
    0x00002007, 0x00000053, 0x0000705B, 0x00006003, 0x00003023, 0x0000102F, 0xFE00002F, 0x00000077, 0x30200173,
)  # fmt: skip
_ILLEGAL_SHORT = (0x0000, 0x2000, 0x6000, 0x8000, 0x4002, 0x6101, 0x6081, 0x2002, 0x9C01)


def normal(record: dict[str, int]) -> dict[str, int]:
    """Without bits that a core with machine mode alone does not have, and mtval of EBREAK, which may be zero or the PC."""
    if record["mcause"] == 3:
        record["mtval"] = 0
    record["mstatus"] &= 0x1888
    record["mie"] &= 0x888
    record["mip"] &= 0x888
    return record


class RiscvWriter(Writer):
    def register(self) -> str:
        """None that the handler or the programs need."""
        return f"x{self.dice.choice([n for n in range(1, 29) if n not in (26, 27)])}"

    # Pieces of programs.

    def plain(self) -> None:
        d = self.dice
        for _ in range(d.randint(1, 3)):
            a, b, c = self.register(), self.register(), self.register()
            self.add(d.choice((
                f"{d.choice(('add', 'sub', 'xor', 'and', 'sll', 'sra', 'mul', 'mulh', 'div', 'remu', 'sltu'))} {a}, {b}, {c}",
                f"addi {a}, {b}, {d.randrange(-64, 64)}", f"li {a}, {d.randrange(-32, 32)}", f"mv {a}, {b}",
                f"sw {a}, {4 * d.randrange(32)}(s10)", f"lw {a}, {4 * d.randrange(32)}(s10)", f"sh {a}, {d.randrange(128)}(s10)",
                f"lbu {a}, {d.randrange(128)}(s10)", f"lw {a}, {d.randrange(120)}(s10)", f"sw {a}, {d.randrange(120)}(s10)",
            )))  # fmt: skip

    def call(self) -> None:
        self.add(self.dice.choice(("ecall", "ecall", ".half 0x9002", ".word 0x00100073")))

    def illegal(self) -> None:
        d = self.dice
        self.add(f".word {d.choice(_ILLEGAL):#x}" if d.random() < 0.5 else f".half {d.choice(_ILLEGAL_SHORT):#x}")

    def bad_register(self) -> None:
        d = self.dice
        if d.random() < 0.5:
            self.add(f"{d.choice(('csrrw', 'csrrs', 'csrrc'))} {self.register()}, {d.choice(_MISSING):#x}, {d.choice((self.register(), 'x0'))}")
        elif d.random() < 0.5:
            self.add(f"{d.choice(('csrrwi', 'csrrsi'))} {self.register()}, {d.choice(_READ_ONLY):#x}, {d.randint(1, 31)}")
        else:
            self.add(f"csrrw x0, {d.choice(_READ_ONLY):#x}, {self.register()}")

    def bad_access(self) -> None:
        d = self.dice
        base = d.choice(("x8", "x9", "x15", "x2", "x5"))
        self.add(f"li {base}, {d.choice(_BAD) + 4 * d.randrange(64):#x}")
        a = self.register()
        self.add(d.choice((
            f"lw {a}, {4 * d.randrange(8)}({base})", f"sw {a}, {4 * d.randrange(8)}({base})", f"lh {a}, 2({base})", f"lb {a}, 1({base})", f"lhu {a}, -2({base})",
            f"sh {a}, 2({base})", f"sb {a}, 3({base})", f"lw x10, 4({base})", f"sw x11, 8({base})", f"lr.w {a}, ({base})",
        )))  # fmt: skip

    def odd_reserve(self) -> None:
        d = self.dice
        self.add(f"li x5, {_DATA + 64 + d.randint(1, 3):#x}")
        # Faults of an AMO are those of loads for QEMU, and of stores in the manual.
        self.add(f"lr.w {self.register()}, (x5)")

    def jump_nowhere(self) -> None:
        d = self.dice
        label, base = self.label(), d.choice(("x1", "x5", "x9", "x10"))
        self.add(f"la {base}, {label}", f"sw {base}, 4(s11)", f"li {base}, {d.choice(_BAD) + 2 * d.randrange(64) + d.choice((0, 0, 1)):#x}")
        self.add(d.choice((f"jr {base}", f"jalr {base}", f"jalr {base}, 4({base})", f"jalr x7, -2({base})")), f"{label}:")

    def line(self, raises: bool, which: int) -> None:
        if which == 3:
            self.add("li x5, 0x02000000", f"li x6, {int(raises)}", "sw x6, 0(x5)")
        elif which == 7:
            self.add("li x5, 0x02004000", f"li x6, {0 if raises else -1}")
            self.add(*(("sw x6, 4(x5)", "sw x6, 0(x5)") if raises else ("sw x6, 0(x5)", "sw x6, 4(x5)")))
        else:
            self.add("li x5, 0x10000001", f"li x6, {2 if raises else 0}", "sb x6, 0(x5)")
            if not raises:
                self.add("li x5, 0x0C200004", "lw x6, 0(x5)", "li x6, 10", "sw x6, 0(x5)")

    def lines_change(self) -> None:
        self.line(self.dice.random() < 0.7, self.dice.choice((3, 7, 11)))

    def interrupts(self) -> None:
        d = self.dice
        bits = d.choice((0x8, 0x80, 0x800, 0x888, 0x808))
        self.add(d.choice((
            "csrsi mstatus, 8", "csrsi mstatus, 8", "csrci mstatus, 8", f"li x5, {bits:#x}\ncsrs mie, x5", f"li x5, {bits:#x}\ncsrs mie, x5",
            f"li x5, {bits:#x}\ncsrc mie, x5", f"csrw mie, {self.register()}\nli x5, 0x888\ncsrr x6, mie\nand x6, x6, x5\ncsrw mie, x6", "csrrwi x6, mstatus, 0\nli x5, 0x1888\nor x6, x6, x5\ncsrw mstatus, x6",
        )))  # fmt: skip

    def registers(self) -> None:
        d = self.dice
        # QEMU lets mepc be odd.
        a, b = self.register(), self.register()
        self.add(d.choice((
            f"csrrw {a}, mscratch, {b}", f"csrrs {a}, mscratch, {b}", f"csrrc {a}, mscratch, {b}", f"csrrw {a}, mcause, {b}", f"csrrci {a}, mcause, 3",
            f"csrrw {a}, mtval, {b}", f"andi x5, {b}, -2\ncsrrw {a}, mepc, x5", f"csrr {a}, mepc", f"csrr {a}, mhartid",
            f"la x5, {d.choice(('vectors', 'others'))} + {d.randrange(2)}\ncsrrw {a}, mtvec, x5",
        )))  # fmt: skip

    def wait(self) -> None:
        """With an interrupt pending and enabled, taken or not behind it."""
        d = self.dice
        which = d.choice((3, 7, 11))
        self.add("csrci mstatus, 8", f"li x5, {1 << which:#x}", "csrs mie, x5")
        self.line(True, which)
        self.add("wfi", d.choice(("csrsi mstatus, 8", "nop")))

    def go_back(self) -> None:
        d = self.dice
        label = self.label()
        # A core with user mode would go there.
        self.add("li x5, 0x1800", "csrs mstatus, x5", "li x5, 0x80", d.choice(("csrs mstatus, x5", "csrc mstatus, x5")))
        # Interrupts would change mepc.
        self.add("csrci mstatus, 8", f"la x5, {label}", "csrw mepc, x5", "mret", ".half 0", f"{label}:")

    def body(self, pieces: int) -> None:
        kinds = (self.plain, self.call, self.illegal, self.bad_register, self.bad_access, self.odd_reserve, self.jump_nowhere, self.lines_change,
                 self.lines_change, self.interrupts, self.interrupts, self.registers, self.wait, self.go_back)  # fmt: skip
        for _ in range(pieces):
            self.dice.choice(kinds)()

    def routine(self, number: int) -> str:
        label = f"{self.name}_x{number}"
        self.add(f"{label}:")
        self.body(self.dice.randint(1, 3))
        self.add("csrci mstatus, 8", "la t4, done", "jr t4")
        return label

    def program(self) -> str:
        d = self.dice
        self.add(f"{self.name}_body:")
        self.body(d.randint(3, 12))
        self.add(".half 0x8002")
        routines = {number: self.routine(number) for number in sorted(d.sample((1, 2, 3, 4, 5, 6, 7, 11, 19, 23, 27), 5))}
        self.add("  .balign 4", f"{self.name}_routines:")
        self.add("  .word " + ", ".join(routines.get(i, "nothing") for i in range(32)))
        registers = [self.word() for _ in range(28)]
        registers[25:27] = [_DATA, 0x803F0000]
        words = [d.choice((0, 0x8, 0x888, 0x80, 0x808)), 0x1800 | d.choice((0, 0x80)), self.word(), d.getrandbits(31), self.word(), *registers]
        self.add(f"{self.name}:", f"  .word {self.name}_routines, {self.name}_body, {d.randrange(2)}")
        self.add(f"  .word {d.choice(('vectors', 'others'))} + {d.randrange(2)}, " + ", ".join(f"{word:#x}" for word in words))
        return "\n".join(self.lines)


def program(seed: int, number: int) -> str:
    """Text of the program, whose label is p and its number."""
    return RiscvWriter(seed, number).program()
