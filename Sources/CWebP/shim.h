// libwebp's demuxer and its decoder of animations, as Debian's libwebp-dev installs them.
#pragma once
#include <webp/decode.h>
#include <webp/demux.h>
