// libebur128, as Debian's libebur128-dev installs it.
#pragma once
#include <ebur128.h>
