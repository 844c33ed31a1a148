#include "include/sha256.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static EVP_MD_CTX *(*context_new)(void);
static void (*context_free)(EVP_MD_CTX *context);
static const EVP_MD *(*sha256)(void);
static int (*digest_init)(EVP_MD_CTX *context, const EVP_MD *digest, ENGINE *engine);
static int (*digest_update)(EVP_MD_CTX *context, const void *bytes, size_t count);
static int (*digest_final)(EVP_MD_CTX *context, unsigned char *digest, unsigned int *count);

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *library, const char *name) {
    void *function = library == NULL ? NULL : dlsym(library, name);
    if (function == NULL) {
        const char *message = dlerror();
        fprintf(stderr, "error: libcrypto cannot be loaded; install Debian's package libssl3 (%s)\n",
                message == NULL ? name : message);
        _Exit(69);
    }
    return function;
}

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    context_new = (__typeof__(context_new))find(library, "EVP_MD_CTX_new");
    context_free = (__typeof__(context_free))find(library, "EVP_MD_CTX_free");
    sha256 = (__typeof__(sha256))find(library, "EVP_sha256");
    digest_init = (__typeof__(digest_init))find(library, "EVP_DigestInit_ex");
    digest_update = (__typeof__(digest_update))find(library, "EVP_DigestUpdate");
    digest_final = (__typeof__(digest_final))find(library, "EVP_DigestFinal_ex");
}

spool_sha256 *spool_sha256_begin(void) {
    pthread_once(&once, load);
    EVP_MD_CTX *context = context_new();
    if (context != NULL && digest_init(context, sha256(), NULL) != 1) {
        context_free(context);
        return NULL;
    }
    return (spool_sha256 *)context;
}

void spool_sha256_update(spool_sha256 *hash, const void *bytes, size_t count) {
    digest_update((EVP_MD_CTX *)hash, bytes, count);
}

void spool_sha256_finish(spool_sha256 *hash, unsigned char *digest) {
    digest_final((EVP_MD_CTX *)hash, digest, NULL);
    digest_init((EVP_MD_CTX *)hash, sha256(), NULL);
}

void spool_sha256_free(spool_sha256 *hash) { context_free((EVP_MD_CTX *)hash); }
