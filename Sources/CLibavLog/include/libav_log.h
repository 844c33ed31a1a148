// libav's log, caught. The callback is global; each thread keeps its last line of level error or worse, so that a thrown
// error can say what libav said. It prints nothing unless it is asked to. C, because a va_list and a thread-local are needed.
#pragma once

// Installs the callback; calling it again changes nothing.
void spool_log_capture(void);
// Prints the next `lines` lines of level warning or worse to standard error, whichever thread they come from; then none.
void spool_log_print(int lines);
// Forgets this thread's line.
void spool_log_clear(void);
// This thread's line since the last clear; empty when there was none. Valid until the next libav call.
const char *spool_log_last_line(void);
