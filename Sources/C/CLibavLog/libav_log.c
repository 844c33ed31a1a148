#include "libav_log.h"

#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_line[512];
// libav writes some lines in several parts; only the last part ends in a line feed.
static _Thread_local int begins_line = 1;
static atomic_int lines_to_print;

static void print(void *object, int level, const char *format, va_list arguments) {
  if (atomic_load(&lines_to_print) <= 0 || atomic_fetch_sub(&lines_to_print, 1) <= 0) return;
  char line[512];
  int prefix = 1;
  av_log_format_line2(object, level, format, arguments, line, sizeof line, &prefix);
  fputs(line, stderr);
}

static void keep(void *object, int level, const char *format, va_list arguments) {
  if (level > AV_LOG_WARNING) return;
  va_list again;
  va_copy(again, arguments);
  print(object, level, format, again);
  va_end(again);
  if (level > AV_LOG_ERROR) return;
  const size_t used = begins_line ? 0 : strlen(last_line);
  av_log_format_line2(object, level, format, arguments, last_line + used, (int)(sizeof last_line - used), &begins_line);
}

void spool_log_capture(void) { av_log_set_callback(keep); }
void spool_log_print(int lines) { atomic_store(&lines_to_print, lines); }
void spool_log_clear(void) {
  last_line[0] = 0;
  begins_line = 1;
}
const char *spool_log_last_line(void) { return last_line; }
