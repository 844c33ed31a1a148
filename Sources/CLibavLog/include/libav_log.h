// libav's log, caught. The callback is global and prints nothing; each thread keeps its last line of level error or
// worse, so that a thrown error can say what libav said. C, because a va_list and a thread-local are needed.
#pragma once

// Installs the callback; calling it again changes nothing.
void spool_log_capture(void);
// Forgets this thread's line.
void spool_log_clear(void);
// This thread's line since the last clear; empty when there was none. Valid until the next libav call.
const char *spool_log_last_line(void);
