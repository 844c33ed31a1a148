// Expat (2.5.0), as Debian's libexpat1-dev installs it.
#pragma once
#include <expat.h>
