#include "libav_log.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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

// libavcodec tells of pictures in which it has concealed damage at the level of information.
static void note_complaint(void *object, int level) {
  if (level > AV_LOG_INFO || !object) return;
  const AVClass *kind = *(const AVClass **)object;
  if (!kind || strcmp(kind->class_name, "AVCodecContext") != 0) return;
  // The contexts of a decoder's threads are copies of its own.
  atomic_int *complaint = ((const AVCodecContext *)object)->opaque;
  if (complaint) atomic_store(complaint, 1);
}

static void keep(void *object, int level, const char *format, va_list arguments) {
  note_complaint(object, level);
  if (level > AV_LOG_WARNING) return;
  va_list again;
  va_copy(again, arguments);
  print(object, level, format, again);
  va_end(again);
  if (level > AV_LOG_ERROR) return;
  const size_t used = begins_line ? 0 : strlen(last_line);
  av_log_format_line2(object, level, format, arguments, last_line + used, (int)(sizeof last_line - used), &begins_line);
}

struct spool_log_complaint { atomic_int is_there; };

struct spool_log_complaint *spool_log_watch(void *context) {
  struct spool_log_complaint *complaint = calloc(1, sizeof *complaint);
  if (complaint) ((AVCodecContext *)context)->opaque = &complaint->is_there;
  return complaint;
}

int spool_log_has_complaint(struct spool_log_complaint *complaint) { return atomic_load(&complaint->is_there); }
void spool_log_forget(struct spool_log_complaint *complaint) { free(complaint); }

void spool_log_capture(void) { av_log_set_callback(keep); }
void spool_log_print(int lines) { atomic_store(&lines_to_print, lines); }
void spool_log_clear(void) {
  last_line[0] = 0;
  begins_line = 1;
}
const char *spool_log_last_line(void) { return last_line; }
