// Little CMS as Swift sees it: its layouts of pixels are macros that Swift cannot read.
#pragma once

#include <lcms2.h>

// Red, green and blue in bytes, alone or with alpha after them.
static const cmsUInt32Number spool_pixels_rgb = TYPE_RGB_8;
static const cmsUInt32Number spool_pixels_rgba = TYPE_RGBA_8;
// Red, green, blue and alpha in numbers of 16 bits, in this machine's order.
static const cmsUInt32Number spool_pixels_rgba_16 = TYPE_RGBA_16;
// The same layouts, of which only the first number is read, as gray.
static const cmsUInt32Number spool_pixels_gray_of_rgb =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(2) | BYTES_SH(1);
static const cmsUInt32Number spool_pixels_gray_of_rgba =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
static const cmsUInt32Number spool_pixels_gray_of_rgba_16 =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(2);

static const cmsUInt32Number spool_profile_flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION;
static const cmsUInt32Number spool_profile_exact = cmsFLAGS_NOOPTIMIZE;
