# PowerPC, 32 bits, big-endian, with Debian's cross compiler (g++-powerpc-linux-gnu). Programs are static, so that
# qemu-user runs them without the libraries of that machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR powerpc)
set(triplet powerpc-linux-gnu)
set(emulator qemu-ppc)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
find_program(FTLAB_EMULATOR ${emulator} REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${FTLAB_EMULATOR})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
