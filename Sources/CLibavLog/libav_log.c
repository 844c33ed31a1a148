#include "libav_log.h"

#include <libavutil/log.h>

static _Thread_local char last_line[512];

static void keep(void *object, int level, const char *format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  int prefix = 1;
  av_log_format_line2(object, level, format, arguments, last_line, sizeof last_line, &prefix);
}

void spool_log_capture(void) { av_log_set_callback(keep); }
void spool_log_clear(void) { last_line[0] = 0; }
const char *spool_log_last_line(void) { return last_line; }
