// hiredis (0.14: RESP2, no TLS).
#pragma once
#include <hiredis/hiredis.h>
