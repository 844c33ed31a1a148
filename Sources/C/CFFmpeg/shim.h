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
