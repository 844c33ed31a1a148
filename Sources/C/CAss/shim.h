// libass, as Debian's libass-dev installs it.
#pragma once
#include <ass/ass.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The fonts that libass has chosen, one line each: "fontselect: (family, weight, slant) -> file, index, name". libass
// gives them only in its log.
typedef struct {
  char *text;
  size_t length;
} spool_ass_choices;

static void spool_ass_ignore(int level, const char *format, va_list arguments, void *data) {
  (void)level, (void)format, (void)arguments, (void)data;
}

// Discards libass's messages. By default it writes messages about a script, which comes from an untrusted user, to
// standard error.
static inline void spool_ass_silence(ASS_Library *library) { ass_set_message_cb(library, spool_ass_ignore, NULL); }

static void spool_ass_note(int level, const char *format, va_list arguments, void *data) {
  (void)level;
  if (strncmp(format, "fontselect: (", 13) != 0) return;
  spool_ass_choices *choices = data;
  char line[2048];
  const int written = vsnprintf(line, sizeof line, format, arguments);
  if (written < 0) return;
  const size_t length = (size_t)written < sizeof line ? (size_t)written : sizeof line - 1;
  char *text = realloc(choices->text, choices->length + length + 1);
  if (text == NULL) return;
  memcpy(text + choices->length, line, length);
  text[choices->length + length] = '\n';
  choices->text = text;
  choices->length += length + 1;
}

// Discards libass's messages, except for those about the choice of fonts, which are kept in `choices`.
static inline void spool_ass_listen(ASS_Library *library, spool_ass_choices *choices) {
  ass_set_message_cb(library, spool_ass_note, choices);
}
