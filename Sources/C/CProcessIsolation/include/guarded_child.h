#pragma once

/// Runs a program as the only child of this process and waits for its end.
///
/// When standard input, which has to be a pipe, is closed at its other end, or when this process receives SIGTERM,
/// SIGINT or SIGHUP, the child gets the stop signal. It gets the same signal from the kernel when this process is
/// killed. The thread that calls this has to live as long as the process, because the kernel watches that thread.
///
/// - words: the program's absolute path and its arguments, ending with NULL
/// - stop: the number of the signal that ends the program cleanly
/// - log: the file that receives its standard output and standard error; it is opened as the program's user
/// - identity: the user and the group that the program runs as; NULL for the calling user's
/// Returns the program's exit code, 128 and the signal's number when one ended it, 126 or 127 when it could not be
/// started, 73 when the log could not be opened, or -errno when there can be no further process.
int spool_run_guarded(char *const words[], int stop, const char *log, const unsigned identity[2]);
