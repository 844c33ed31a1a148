// libcurl's easy interface, loaded with its first use, because loading it takes more than ten milliseconds that a command
// without a farm need not wait for. Its variadic functions, which Swift cannot call, have one twin for each type of value.
#pragma once
#include <curl/curl.h>

// Loads libcurl, once. It must have succeeded before any other function of this header is called.
// Returns NULL, or the reason why libcurl cannot be loaded: text that stays valid.
const char *spool_load_libcurl(void);

// libcurl's version, as in "7.88.1".
const char *spool_curl_version(void);

CURLcode spool_curl_set_number(CURL *transfer, CURLoption option, long value);
CURLcode spool_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value);
CURLcode spool_curl_set_text(CURL *transfer, CURLoption option, const char *value);
CURLcode spool_curl_set_pointer(CURL *transfer, CURLoption option, void *value);
CURLcode spool_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value);

// The callbacks' context is the pointer given with them.
typedef size_t (*spool_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*spool_curl_seek)(void *context, curl_off_t offset, int origin);
typedef int (*spool_curl_progress)(
    void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_send, curl_off_t sent);
CURLcode spool_curl_on_header(CURL *transfer, spool_curl_bytes callback, void *context);
CURLcode spool_curl_on_body(CURL *transfer, spool_curl_bytes callback, void *context);
CURLcode spool_curl_on_upload(CURL *transfer, spool_curl_bytes callback, void *context);
CURLcode spool_curl_on_seek(CURL *transfer, spool_curl_seek callback, void *context);
// Opens the socket for a connection to an address; CURL_SOCKET_BAD refuses the connection.
typedef curl_socket_t (*spool_curl_socket)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
CURLcode spool_curl_on_socket(CURL *transfer, spool_curl_socket callback, void *context);
CURLcode spool_curl_on_progress(CURL *transfer, spool_curl_progress callback, void *context);

// A number that CURLINFO_... names; 0 where libcurl does not know it.
long spool_curl_info(CURL *transfer, CURLINFO what);

// What a callback for uploads returns to end the transfer.
static const size_t spool_curl_abort = CURL_READFUNC_ABORT;

// The address that a socket is opened for.
static inline const struct sockaddr *spool_curl_address(const struct curl_sockaddr *address) { return &address->addr; }
// What a callback for sockets returns to refuse a connection.
static const curl_socket_t spool_curl_no_socket = CURL_SOCKET_BAD;
