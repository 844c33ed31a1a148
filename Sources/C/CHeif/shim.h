// libheif's C interface, as Debian's libheif-dev installs it.
#pragma once
#include <libheif/heif.h>
