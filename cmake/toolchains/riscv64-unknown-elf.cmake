# Bare-metal RV32IMC, with the toolchain that Debian packages (gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf). It
# has no C++ library; the headers of ARM's (libstdc++-arm-none-eabi-newlib) serve, since the firmware uses headers alone.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR rv32imc)

set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
# The C++ driver asks for a library that does not exist.
set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_C_COMPILER} <FLAGS> <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
# Without a linker script of its own no program links, so checks of the compiler stop at a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

file(GLOB headers LIST_DIRECTORIES true /usr/lib/arm-none-eabi/include/c++/*)
if(NOT headers)
  message(FATAL_ERROR "no C++ headers in /usr/lib/arm-none-eabi/include/c++; install libstdc++-arm-none-eabi-newlib")
endif()
list(GET headers -1 headers)

# With -march=rv32imc_zicsr the compiler finds no library of 32 bits. Line information is for debuggers; it changes no byte
# of code.
set(machine "-march=rv32imc -mabi=ilp32 --specs=picolibc.specs -ffunction-sections -fdata-sections -g")
set(CMAKE_C_FLAGS_INIT "${machine}")
set(CMAKE_CXX_FLAGS_INIT "${machine} -fno-exceptions -fno-rtti -fno-threadsafe-statics -isystem ${headers} -isystem ${headers}/arm-none-eabi")
set(CMAKE_ASM_FLAGS_INIT "${machine}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
