#include "include/rlottie_loading.h"
#include "../LibraryLoading/library_loading.h"

#include <pthread.h>

// Every function of rlottie that Spool calls.
#define FUNCTIONS(F) \
    F(Lottie_Animation *, lottie_animation_from_data, (const char *data, const char *key, const char *resources), \
      (data, key, resources)) \
    F(size_t, lottie_animation_get_totalframe, (const Lottie_Animation *animation), (animation))

// The functions that return nothing.
#define PROCEDURES(F) \
    F(void, lottie_animation_destroy, (Lottie_Animation *animation), (animation)) \
    F(void, lottie_animation_render, \
      (Lottie_Animation *animation, size_t frame, uint32_t *buffer, size_t width, size_t height, size_t stride), \
      (animation, frame, buffer, width, height, stride))

FUNCTIONS(LOADED_POINTER)
PROCEDURES(LOADED_POINTER)
FUNCTIONS(LOADED_FUNCTION)
PROCEDURES(LOADED_PROCEDURE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static loaded_library library = {.file = "librlottie.so.0-1", .name = "rlottie", .package = "librlottie0-1"};

static void load(void) {
    open_library(&library);
#define FIND(...) LOADED_FIND(library, __VA_ARGS__)
    FUNCTIONS(FIND)
    PROCEDURES(FIND)
}

const char *spool_load_rlottie(void) {
    pthread_once(&once, load);
    return library_fault(&library);
}
