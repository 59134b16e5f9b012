// How leaks are looked for in programs with SystemC. After a simulation the run time still takes the stack of the
// coroutine that ran last for the main thread's. By then other memory lies there, and the checker ends with a signal
// when it may not be read. So stacks are no roots here: memory that only a stack still points to at exit counts as
// lost, everything else as ever.

extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "use_stacks=0"; }
