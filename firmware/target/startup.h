// Start-up code that all cores have in common.
#pragma once

extern "C" {
/// From reset, on a stack: static data, the clock, the program. Static data must not be used before.
[[noreturn]] void start_program();
/// The program has ended, which it should not.
[[noreturn]] void halt(const char* why);
}
