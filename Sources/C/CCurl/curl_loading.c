#include "include/curl_loading.h"
#include "../LibraryLoading/library_loading.h"

#include <pthread.h>

// These macros check the types of variadic arguments, and would also change the names below.
#undef curl_easy_setopt
#undef curl_easy_getinfo

// Every function of libcurl that Spool calls with the types that its header gives.
#define FUNCTIONS(F) \
    F(CURLcode, curl_global_init, (long flags), (flags)) \
    F(CURL *, curl_easy_init, (void), ()) \
    F(CURLcode, curl_easy_perform, (CURL *transfer), (transfer)) \
    F(const char *, curl_easy_strerror, (CURLcode code), (code)) \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text)) \
    F(curl_version_info_data *, curl_version_info, (CURLversion age), (age))

// The functions that return nothing.
#define PROCEDURES(F) \
    F(void, curl_easy_cleanup, (CURL *transfer), (transfer)) \
    F(void, curl_easy_reset, (CURL *transfer), (transfer)) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list))

// The variadic functions, which cannot be passed on; their twins below call them with one type of value each.
#define VARIADIC_FUNCTIONS(F) \
    F(CURLcode, curl_easy_setopt, (CURL *transfer, CURLoption option, ...), ()) \
    F(CURLcode, curl_easy_getinfo, (CURL *transfer, CURLINFO what, ...), ())

FUNCTIONS(LOADED_POINTER)
PROCEDURES(LOADED_POINTER)
VARIADIC_FUNCTIONS(LOADED_POINTER)
FUNCTIONS(LOADED_FUNCTION)
PROCEDURES(LOADED_PROCEDURE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static loaded_library library = {.file = "libcurl.so.4", .name = "libcurl", .package = "libcurl4"};

static void load(void) {
    open_library(&library);
#define FIND(...) LOADED_FIND(library, __VA_ARGS__)
    FUNCTIONS(FIND)
    PROCEDURES(FIND)
    VARIADIC_FUNCTIONS(FIND)
    if (library_fault(&library) == NULL && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        snprintf(library.fault, sizeof library.fault, "libcurl cannot be initialised");
}

const char *spool_load_libcurl(void) {
    pthread_once(&once, load);
    return library_fault(&library);
}

const char *spool_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

CURLcode spool_curl_set_number(CURL *transfer, CURLoption option, long value) {
    return loaded_curl_easy_setopt(transfer, option, value);
}

CURLcode spool_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
    return loaded_curl_easy_setopt(transfer, option, value);
}

CURLcode spool_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return loaded_curl_easy_setopt(transfer, option, value);
}

CURLcode spool_curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return loaded_curl_easy_setopt(transfer, option, value);
}

CURLcode spool_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value) {
    return loaded_curl_easy_setopt(transfer, option, value);
}

// Sets a callback together with the context that it is called with.
static CURLcode set_callback(
    CURL *transfer, CURLoption function, void (*callback)(void), CURLoption data, void *context) {
    CURLcode code = loaded_curl_easy_setopt(transfer, function, callback);
    return code == CURLE_OK ? loaded_curl_easy_setopt(transfer, data, context) : code;
}

CURLcode spool_curl_on_header(CURL *transfer, spool_curl_bytes callback, void *context) {
    return set_callback(transfer, CURLOPT_HEADERFUNCTION, (void (*)(void))callback, CURLOPT_HEADERDATA, context);
}

CURLcode spool_curl_on_body(CURL *transfer, spool_curl_bytes callback, void *context) {
    return set_callback(transfer, CURLOPT_WRITEFUNCTION, (void (*)(void))callback, CURLOPT_WRITEDATA, context);
}

CURLcode spool_curl_on_upload(CURL *transfer, spool_curl_bytes callback, void *context) {
    return set_callback(transfer, CURLOPT_READFUNCTION, (void (*)(void))callback, CURLOPT_READDATA, context);
}

CURLcode spool_curl_on_seek(CURL *transfer, spool_curl_seek callback, void *context) {
    return set_callback(transfer, CURLOPT_SEEKFUNCTION, (void (*)(void))callback, CURLOPT_SEEKDATA, context);
}

CURLcode spool_curl_on_socket(CURL *transfer, spool_curl_socket callback, void *context) {
    return set_callback(
        transfer, CURLOPT_OPENSOCKETFUNCTION, (void (*)(void))callback, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode spool_curl_on_progress(CURL *transfer, spool_curl_progress callback, void *context) {
    return set_callback(transfer, CURLOPT_XFERINFOFUNCTION, (void (*)(void))callback, CURLOPT_XFERINFODATA, context);
}

long spool_curl_info(CURL *transfer, CURLINFO what) {
    long value = 0;
    return loaded_curl_easy_getinfo(transfer, what, &value) == CURLE_OK ? value : 0;
}
