// What the sanitizers do in every program built with them, so that none needs settings from its environment. Their
// environment variables still win. Linked as an object: from a library nobody would ask for these functions.

extern "C" const char* __asan_default_options();
extern "C" const char* __ubsan_default_options();

// Coroutines of SystemC leave and enter stacks behind the sanitizer's back, so frames must stay where they are.
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0:strict_string_checks=1"; }

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
