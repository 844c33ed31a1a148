// libass, as Debian's libass-dev installs it.
#pragma once
#include <ass/ass.h>
#include <stdarg.h>

static void spool_ass_ignore(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

// libass would write to standard error what it thinks of a script, which is a stranger's.
static inline void spool_ass_silence(ASS_Library *library) { ass_set_message_cb(library, spool_ass_ignore, NULL); }
