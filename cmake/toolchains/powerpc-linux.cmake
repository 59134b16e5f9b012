# PowerPC, 32 bits, big-endian, with Debian's cross compiler (g++-powerpc-linux-gnu). Programs are static, so that
# qemu-user runs them without the libraries of that machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR powerpc)
set(triplet powerpc-linux-gnu)
set(emulator qemu-ppc)
include("${CMAKE_CURRENT_LIST_DIR}/emulated_linux.cmake")
