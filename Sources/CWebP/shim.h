// libwebp's demuxer, its decoder of animations and its muxer, as Debian's libwebp-dev installs them.
#pragma once
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/mux.h>
