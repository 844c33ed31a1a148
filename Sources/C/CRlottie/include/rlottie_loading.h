// rlottie's C interface, loaded with its first use, because few films have a Lottie animation.
#pragma once
#include <rlottie_capi.h>

// Loads rlottie, once. It must have succeeded before any other function of this header is called.
// Returns NULL, or the reason why rlottie cannot be loaded: text that stays valid.
const char *spool_load_rlottie(void);
