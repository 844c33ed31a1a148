// The client's side of TLS on a connected socket, by OpenSSL's libssl, which is loaded with its first use.
//
// The socket does not block: each call does what it can and says what it waits for. No call may be made at the same time as
// another one for the same connection.
#pragma once
#include <stddef.h>

typedef struct spool_tls spool_tls;

// The outcome of a call.
typedef enum {
    // It has done what was asked.
    SPOOL_TLS_DONE = 0,
    // It has to be made again, with the same arguments, when the socket can be read.
    SPOOL_TLS_WANTS_READ,
    // It has to be made again, with the same arguments, when the socket can be written.
    SPOOL_TLS_WANTS_WRITE,
    // The other side has closed the connection.
    SPOOL_TLS_CLOSED,
    // The connection cannot be used any more; spool_tls_fault says why.
    SPOOL_TLS_FAILED,
} spool_tls_result;

// The files that say whom to trust, and who this side is. Every member may be NULL.
typedef struct {
    // A file with certificates of authorities (PEM). Without it those count that the machine trusts.
    const char *authorities;
    // A file with this side's certificate and those between it and its authority (PEM), and one with its key.
    const char *certificate;
    const char *key;
} spool_tls_files;

// Prepares TLS 1.2 or later on a socket, which stays the caller's. The other side has to have a certificate for the host, which
// is a name or an IP address. Never returns NULL except without memory; a connection with a fault says so at its handshake.
spool_tls *spool_tls_new(int socket, const char *host, const spool_tls_files *files);
void spool_tls_free(spool_tls *connection);

// The reason why the last call has failed: text that stays valid until the next call.
const char *spool_tls_fault(const spool_tls *connection);

spool_tls_result spool_tls_handshake(spool_tls *connection);

// Sends bytes, at least one, and sets the count of those that were sent: all, or a gigabyte.
spool_tls_result spool_tls_write(spool_tls *connection, const void *bytes, size_t count, size_t *sent);

// Reads at most `capacity` bytes into a buffer, and sets the count of those that it has read.
spool_tls_result spool_tls_read(spool_tls *connection, void *bytes, size_t capacity, size_t *count);

// Whether the other side has neither sent anything that was not read nor closed the connection.
int spool_tls_is_quiet(spool_tls *connection);
