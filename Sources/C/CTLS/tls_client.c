#include "include/tls_client.h"
#include "../LibraryLoading/library_loading.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Every function of libssl that is called here.
#define SSL_FUNCTIONS(F) \
    F(const SSL_METHOD *, TLS_client_method, (void), ()) \
    F(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method), (method)) \
    F(void, SSL_CTX_free, (SSL_CTX *context), (context)) \
    F(long, SSL_CTX_ctrl, (SSL_CTX *context, int command, long number, void *pointer), (context, command, number, pointer)) \
    F(int, SSL_CTX_set_default_verify_paths, (SSL_CTX *context), (context)) \
    F(int, SSL_CTX_load_verify_locations, (SSL_CTX *context, const char *file, const char *directory), \
      (context, file, directory)) \
    F(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX *context, const char *file), (context, file)) \
    F(int, SSL_CTX_use_PrivateKey_file, (SSL_CTX *context, const char *file, int type), (context, file, type)) \
    F(int, SSL_CTX_check_private_key, (const SSL_CTX *context), (context)) \
    F(void, SSL_CTX_set_verify, (SSL_CTX *context, int mode, SSL_verify_cb callback), (context, mode, callback)) \
    F(SSL *, SSL_new, (SSL_CTX *context), (context)) \
    F(void, SSL_free, (SSL *ssl), (ssl)) \
    F(int, SSL_set_fd, (SSL *ssl, int socket), (ssl, socket)) \
    F(long, SSL_ctrl, (SSL *ssl, int command, long number, void *pointer), (ssl, command, number, pointer)) \
    F(int, SSL_set1_host, (SSL *ssl, const char *host), (ssl, host)) \
    F(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *ssl), (ssl)) \
    F(int, SSL_connect, (SSL *ssl), (ssl)) \
    F(int, SSL_read, (SSL *ssl, void *bytes, int capacity), (ssl, bytes, capacity)) \
    F(int, SSL_peek, (SSL *ssl, void *bytes, int capacity), (ssl, bytes, capacity)) \
    F(int, SSL_write, (SSL *ssl, const void *bytes, int count), (ssl, bytes, count)) \
    F(int, SSL_get_error, (const SSL *ssl, int result), (ssl, result)) \
    F(long, SSL_get_verify_result, (const SSL *ssl), (ssl))

// Every function of libcrypto that is called here.
#define CRYPTO_FUNCTIONS(F) \
    F(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *rules, const char *address), (rules, address)) \
    F(const char *, X509_verify_cert_error_string, (long code), (code)) \
    F(unsigned long, ERR_peek_last_error, (void), ()) \
    F(void, ERR_clear_error, (void), ()) \
    F(const char *, ERR_reason_error_string, (unsigned long code), (code))

SSL_FUNCTIONS(LOADED_POINTER)
CRYPTO_FUNCTIONS(LOADED_POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static loaded_library ssl_library = {.file = "libssl.so.3", .name = "libssl", .package = "libssl3"};
static loaded_library crypto_library = {.file = "libcrypto.so.3", .name = "libcrypto", .package = "libssl3"};

static void load(void) {
    open_library(&crypto_library);
    open_library(&ssl_library);
#define FIND_SSL(...) LOADED_FIND(ssl_library, __VA_ARGS__)
#define FIND_CRYPTO(...) LOADED_FIND(crypto_library, __VA_ARGS__)
    SSL_FUNCTIONS(FIND_SSL)
    CRYPTO_FUNCTIONS(FIND_CRYPTO)
}

struct spool_tls {
    SSL_CTX *context;
    SSL *ssl;
    // Empty while there is none.
    char fault[512];
};

static const char *newest_error(void) {
    const unsigned long code = loaded_ERR_peek_last_error();
    const char *reason = code == 0 ? NULL : loaded_ERR_reason_error_string(code);
    return reason != NULL ? reason : "no reason is known";
}

static void fail(spool_tls *connection, const char *what, const char *subject) {
    snprintf(connection->fault, sizeof connection->fault, "%s%s%s: %s", what, subject == NULL ? "" : " ",
             subject == NULL ? "" : subject, newest_error());
}

// Reads the files that the caller names. Returns 0 with a fault.
static int read_files(spool_tls *connection, const spool_tls_files *files) {
    SSL_CTX *context = connection->context;
    if (files->authorities == NULL) {
        loaded_SSL_CTX_set_default_verify_paths(context);
    } else if (loaded_SSL_CTX_load_verify_locations(context, files->authorities, NULL) != 1) {
        fail(connection, "cannot read authorities from", files->authorities);
        return 0;
    }
    if (files->certificate == NULL) return 1;
    if (loaded_SSL_CTX_use_certificate_chain_file(context, files->certificate) != 1) {
        fail(connection, "cannot read the certificate", files->certificate);
        return 0;
    }
    if (loaded_SSL_CTX_use_PrivateKey_file(context, files->key, SSL_FILETYPE_PEM) != 1 ||
        loaded_SSL_CTX_check_private_key(context) != 1) {
        fail(connection, "the certificate does not go with the key", files->key);
        return 0;
    }
    return 1;
}

// Says whose certificate the other side has to have. Returns 0 without memory.
static int expect_host(SSL *ssl, const char *host) {
    unsigned char address[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1)
        return loaded_X509_VERIFY_PARAM_set1_ip_asc(loaded_SSL_get0_param(ssl), host);
    return loaded_SSL_set1_host(ssl, host) == 1 &&
           loaded_SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host) == 1;
}

spool_tls *spool_tls_new(int socket, const char *host, const spool_tls_files *files) {
    pthread_once(&once, load);
    spool_tls *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    const char *missing = library_fault(&ssl_library);
    if (missing == NULL) missing = library_fault(&crypto_library);
    if (missing != NULL) {
        snprintf(connection->fault, sizeof connection->fault, "%s", missing);
        return connection;
    }
    loaded_ERR_clear_error();
    connection->context = loaded_SSL_CTX_new(loaded_TLS_client_method());
    if (connection->context == NULL) {
        fail(connection, "TLS cannot be used", NULL);
        return connection;
    }
    loaded_SSL_CTX_ctrl(connection->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    // The buffer of bytes that are written may be another one when a call is made again.
    loaded_SSL_CTX_ctrl(connection->context, SSL_CTRL_MODE, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
    loaded_SSL_CTX_set_verify(connection->context, SSL_VERIFY_PEER, NULL);
    if (!read_files(connection, files)) return connection;
    connection->ssl = loaded_SSL_new(connection->context);
    if (connection->ssl == NULL || loaded_SSL_set_fd(connection->ssl, socket) != 1 || !expect_host(connection->ssl, host))
        fail(connection, "TLS cannot be used", NULL);
    return connection;
}

void spool_tls_free(spool_tls *connection) {
    if (connection == NULL) return;
    if (connection->ssl != NULL) loaded_SSL_free(connection->ssl);
    if (connection->context != NULL) loaded_SSL_CTX_free(connection->context);
    free(connection);
}

const char *spool_tls_fault(const spool_tls *connection) { return connection->fault; }

// The meaning of a result of libssl; `number` is errno right after the call.
static spool_tls_result judged(spool_tls *connection, int result, int number) {
    switch (loaded_SSL_get_error(connection->ssl, result)) {
    case SSL_ERROR_NONE: return SPOOL_TLS_DONE;
    case SSL_ERROR_WANT_READ: return SPOOL_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return SPOOL_TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return SPOOL_TLS_CLOSED;
    case SSL_ERROR_SYSCALL:
        if (number == 0) return SPOOL_TLS_CLOSED;
        snprintf(connection->fault, sizeof connection->fault, "%s", strerror(number));
        return SPOOL_TLS_FAILED;
    default:
        // A server that ends without the farewell of TLS is gone all the same.
        if (ERR_GET_REASON(loaded_ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) return SPOOL_TLS_CLOSED;
        fail(connection, "TLS fails", NULL);
        return SPOOL_TLS_FAILED;
    }
}

spool_tls_result spool_tls_handshake(spool_tls *connection) {
    if (connection->fault[0] != 0) return SPOOL_TLS_FAILED;
    loaded_ERR_clear_error();
    errno = 0;
    const int result = loaded_SSL_connect(connection->ssl);
    const spool_tls_result what = judged(connection, result, errno);
    const long trust = loaded_SSL_get_verify_result(connection->ssl);
    if (what == SPOOL_TLS_FAILED && trust != X509_V_OK)
        snprintf(connection->fault, sizeof connection->fault, "its certificate is not trusted: %s",
                 loaded_X509_verify_cert_error_string(trust));
    return what;
}

// The most bytes of one call of libssl, whose counts are an int.
static const size_t most = 1 << 30;

spool_tls_result spool_tls_write(spool_tls *connection, const void *bytes, size_t count, size_t *sent) {
    loaded_ERR_clear_error();
    errno = 0;
    const int result = loaded_SSL_write(connection->ssl, bytes, (int)(count < most ? count : most));
    *sent = result > 0 ? (size_t)result : 0;
    return judged(connection, result, errno);
}

spool_tls_result spool_tls_read(spool_tls *connection, void *bytes, size_t capacity, size_t *count) {
    loaded_ERR_clear_error();
    errno = 0;
    const int result = loaded_SSL_read(connection->ssl, bytes, (int)(capacity < most ? capacity : most));
    *count = result > 0 ? (size_t)result : 0;
    return judged(connection, result, errno);
}

int spool_tls_is_quiet(spool_tls *connection) {
    char byte;
    loaded_ERR_clear_error();
    errno = 0;
    const int result = loaded_SSL_peek(connection->ssl, &byte, 1);
    return judged(connection, result, errno) == SPOOL_TLS_WANTS_READ;
}
