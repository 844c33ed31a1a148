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

// A profile of the primaries of SMPTE RP 431-2, the white D65 and the curve of sRGB; NULL where there is no memory.
static inline cmsHPROFILE spool_display_p3_profile(void) {
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    const cmsFloat64Number curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *tone = cmsBuildParametricToneCurve(NULL, 4, curve);
    if (tone == NULL) return NULL;
    cmsToneCurve *const tones[] = {tone, tone, tone};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, tones);
    cmsFreeToneCurve(tone);
    return profile;
}

static const cmsUInt32Number spool_profile_flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION;
static const cmsUInt32Number spool_profile_exact = cmsFLAGS_NOOPTIMIZE;
