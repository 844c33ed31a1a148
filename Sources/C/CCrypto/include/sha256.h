// The sha256 and HMAC-SHA256 of OpenSSL's libcrypto, which is loaded with its first use: its start takes a millisecond that a command
// without any hash need not wait for. Without libcrypto the program says so and ends with status 69.
#pragma once
#include <stddef.h>

typedef struct spool_sha256 spool_sha256;

// Begins a hash; NULL without memory.
spool_sha256 *spool_sha256_begin(void);
void spool_sha256_update(spool_sha256 *hash, const void *bytes, size_t count);
// Writes the 32 bytes of the hash, and begins anew.
void spool_sha256_finish(spool_sha256 *hash, unsigned char *digest);
void spool_sha256_free(spool_sha256 *hash);

// Writes the 32 bytes of the HMAC-SHA256 (RFC 2104) of a message.
void spool_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code);
