// libav as Swift sees it. The inline twins below exist because Swift imports neither function-like
// macros nor compound-literal constants; their names start with `spool_` so that nothing shadows libav.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <malloc.h>
#include <string.h>
// statfs, which is missing in Swift's Glibc.
#include <sys/vfs.h>

static const int spool_error_eof = AVERROR_EOF;
static const int spool_error_again = AVERROR(EAGAIN);
static const int spool_error_invalid_data = AVERROR_INVALIDDATA;
static const int spool_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int spool_error_no_memory = AVERROR(ENOMEM);
static const int spool_error_no_space = AVERROR(ENOSPC);
static const int spool_error_file_too_big = AVERROR(EFBIG);
static const int spool_error_io = AVERROR(EIO);
static const int spool_error_denied = AVERROR(EPERM);
static const int64_t spool_no_timestamp = AV_NOPTS_VALUE;

static inline int spool_error_from_errno(int code) { return AVERROR(code); }

// Frame buffers that are filled with grey, as libavcodec itself fills references that are missing, or with zeros where the
// samples are no luma and chroma.
static inline int spool_grey_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  const int code = avcodec_default_get_buffer2(context, frame, flags);
  if (code < 0) return code;
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  const int depth = format ? format->comp[0].depth : 8;
  const int is_grey = format && !(format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT));
  for (int plane = 0; plane < AV_NUM_DATA_POINTERS && frame->buf[plane]; plane++) {
    uint8_t *bytes = frame->buf[plane]->data;
    const size_t count = frame->buf[plane]->size;
    if (is_grey && depth > 8 && depth <= 16) {
      for (size_t index = 0; index < count / 2; index++) ((uint16_t *)bytes)[index] = (uint16_t)(1 << (depth - 1));
    } else {
      memset(bytes, is_grey ? 128 : 0, count);
    }
  }
  return 0;
}

// Makes a decoder write its pictures into grey frames. To be called before it is opened.
static inline void spool_decode_into_grey(AVCodecContext *context) {
  context->get_buffer2 = spool_grey_buffer;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  // The function above may be called from any thread.
  context->thread_safe_callbacks = 1;
#pragma clang diagnostic pop
}
