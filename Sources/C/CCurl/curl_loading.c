#include "include/curl_loading.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

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

#define PROCEDURES(F) \
    F(curl_easy_cleanup, (CURL *transfer), (transfer)) \
    F(curl_easy_reset, (CURL *transfer), (transfer)) \
    F(curl_slist_free_all, (struct curl_slist *list), (list))

#define FUNCTION_POINTER(result, name, parameters, arguments) static result(*loaded_##name) parameters;
#define PROCEDURE_POINTER(name, parameters, arguments) static void(*loaded_##name) parameters;
FUNCTIONS(FUNCTION_POINTER)
PROCEDURES(PROCEDURE_POINTER)
static CURLcode (*loaded_setopt)(CURL *transfer, CURLoption option, ...);
static CURLcode (*loaded_getinfo)(CURL *transfer, CURLINFO what, ...);

#define FORWARD_FUNCTION(result, name, parameters, arguments) \
    result name parameters { return loaded_##name arguments; }
#define FORWARD_PROCEDURE(name, parameters, arguments) \
    void name parameters { loaded_##name arguments; }
FUNCTIONS(FORWARD_FUNCTION)
PROCEDURES(FORWARD_PROCEDURE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[512];

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *message = dlerror();
        snprintf(reason, sizeof reason, "libcurl cannot be loaded; install Debian's package libcurl4 (%s)",
                 message == NULL ? "unknown reason" : message);
        return;
    }
#define FIND(pointer, name) \
    pointer = (__typeof__(pointer))dlsym(library, name); \
    if (pointer == NULL) snprintf(reason, sizeof reason, "libcurl has no function %s", name);
#define FIND_FUNCTION(result, name, parameters, arguments) FIND(loaded_##name, #name)
#define FIND_PROCEDURE(name, parameters, arguments) FIND(loaded_##name, #name)
    FUNCTIONS(FIND_FUNCTION)
    PROCEDURES(FIND_PROCEDURE)
    FIND(loaded_setopt, "curl_easy_setopt")
    FIND(loaded_getinfo, "curl_easy_getinfo")
    if (reason[0] == 0 && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        snprintf(reason, sizeof reason, "libcurl cannot be initialised");
}

const char *spool_load_libcurl(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? NULL : reason;
}

const char *spool_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

CURLcode spool_curl_set_number(CURL *transfer, CURLoption option, long value) {
    return loaded_setopt(transfer, option, value);
}

CURLcode spool_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
    return loaded_setopt(transfer, option, value);
}

CURLcode spool_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return loaded_setopt(transfer, option, value);
}

CURLcode spool_curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return loaded_setopt(transfer, option, value);
}

CURLcode spool_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value) {
    return loaded_setopt(transfer, option, value);
}

// Sets a callback together with the context that it is called with.
static CURLcode set_callback(
    CURL *transfer, CURLoption function, void (*callback)(void), CURLoption data, void *context) {
    CURLcode code = loaded_setopt(transfer, function, callback);
    return code == CURLE_OK ? loaded_setopt(transfer, data, context) : code;
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

CURLcode spool_curl_on_progress(CURL *transfer, spool_curl_progress callback, void *context) {
    return set_callback(transfer, CURLOPT_XFERINFOFUNCTION, (void (*)(void))callback, CURLOPT_XFERINFODATA, context);
}

long spool_curl_info(CURL *transfer, CURLINFO what) {
    long value = 0;
    return loaded_getinfo(transfer, what, &value) == CURLE_OK ? value : 0;
}
