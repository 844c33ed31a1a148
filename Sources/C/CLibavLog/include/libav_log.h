// Captures libav's log. The callback is global; each thread keeps its last line of level error or worse, so that a
// thrown error can quote libav. Nothing is printed unless `spool_log_print` asks for it. It is written in C because it
// needs a va_list and a thread-local variable.
#pragma once

// Installs the callback; further calls have no effect.
void spool_log_capture(void);
// Prints the next `lines` lines of level warning or worse from any thread to standard error, and none afterwards.
void spool_log_print(int lines);
// Clears this thread's line.
void spool_log_clear(void);
// This thread's line since the last clear; empty when there was none. Valid until the next libav call.
const char *spool_log_last_line(void);

// Whether a decoder has written to the log, at the level of information or worse.
struct spool_log_complaint;
// Watches an AVCodecContext, also the copies that its threads have, by its field `opaque`.
// Returns NULL where no memory is left. Forget it after the context has been freed.
struct spool_log_complaint *spool_log_watch(void *context);
int spool_log_has_complaint(struct spool_log_complaint *complaint);
void spool_log_forget(struct spool_log_complaint *complaint);
