# ARM, 32 bits, little-endian, with Debian's cross compiler (g++-arm-linux-gnueabihf). Programs are static, so that
# qemu-user runs them without the libraries of that machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(triplet arm-linux-gnueabihf)
set(emulator qemu-arm)
include("${CMAKE_CURRENT_LIST_DIR}/emulated_linux.cmake")
