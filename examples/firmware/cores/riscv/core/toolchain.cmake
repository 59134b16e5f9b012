# RV32IMC; Debian: gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf. Its division never faults, so that the compiler
# looks at the divisor.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR rv32imc)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
# A program needs the linker script of the board, which a check of the compiler has not.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-march=rv32imc -mabi=ilp32 --specs=picolibc.specs -fsanitize=integer-divide-by-zero -fsanitize-undefined-trap-on-error")
