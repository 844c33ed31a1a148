// Rubber Band's C interface, as Debian's librubberband-dev installs it.
#pragma once
#include <rubberband/rubberband-c.h>
