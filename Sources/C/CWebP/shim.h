// libwebp's demuxer, animation decoder and muxer, as Debian's libwebp-dev installs them.
#pragma once
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/mux.h>
