#ifndef SPOOL_CLONES_H
#define SPOOL_CLONES_H

// Compiles a function twice, for processors with AVX2 and for all others; the program chooses the right clone when it
// starts.
#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

#endif
