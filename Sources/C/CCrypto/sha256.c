#include "include/sha256.h"
#include "../LibraryLoading/library_loading.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <stdlib.h>

// Every function of libcrypto that Spool calls. They are called through their pointers: no other file calls them.
#define FUNCTIONS(F) \
    F(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ()) \
    F(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context)) \
    F(const EVP_MD *, EVP_sha256, (void), ()) \
    F(int, EVP_DigestInit_ex, (EVP_MD_CTX *context, const EVP_MD *digest, ENGINE *engine), (context, digest, engine)) \
    F(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count)) \
    F(int, EVP_DigestFinal_ex, (EVP_MD_CTX *context, unsigned char *digest, unsigned int *count), \
      (context, digest, count)) \
    F(unsigned char *, HMAC, \
      (const EVP_MD *digest, const void *key, int key_count, const unsigned char *bytes, size_t count, \
       unsigned char *code, unsigned int *code_count), \
      (digest, key, key_count, bytes, count, code, code_count))

FUNCTIONS(LOADED_POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static loaded_library library = {.file = "libcrypto.so.3", .name = "libcrypto", .package = "libssl3"};

static void load(void) {
    open_library(&library);
#define FIND(...) LOADED_FIND(library, __VA_ARGS__)
    FUNCTIONS(FIND)
    if (library_fault(&library) != NULL) {
        fprintf(stderr, "error: %s\n", library_fault(&library));
        _Exit(69);
    }
}

spool_sha256 *spool_sha256_begin(void) {
    pthread_once(&once, load);
    EVP_MD_CTX *context = loaded_EVP_MD_CTX_new();
    if (context != NULL && loaded_EVP_DigestInit_ex(context, loaded_EVP_sha256(), NULL) != 1) {
        loaded_EVP_MD_CTX_free(context);
        return NULL;
    }
    return (spool_sha256 *)context;
}

void spool_sha256_update(spool_sha256 *hash, const void *bytes, size_t count) {
    loaded_EVP_DigestUpdate((EVP_MD_CTX *)hash, bytes, count);
}

void spool_sha256_finish(spool_sha256 *hash, unsigned char *digest) {
    loaded_EVP_DigestFinal_ex((EVP_MD_CTX *)hash, digest, NULL);
    loaded_EVP_DigestInit_ex((EVP_MD_CTX *)hash, loaded_EVP_sha256(), NULL);
}

void spool_sha256_free(spool_sha256 *hash) { loaded_EVP_MD_CTX_free((EVP_MD_CTX *)hash); }

void spool_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code) {
    pthread_once(&once, load);
    loaded_HMAC(loaded_EVP_sha256(), key, (int)key_count, bytes, count, code, NULL);
}
