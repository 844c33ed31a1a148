// lilv, as Debian's liblilv-dev installs it. Here it only reads what LV2 plug-ins declare; libavfilter runs them, and loads
// the same library for that.
#pragma once
#include <lilv/lilv.h>
