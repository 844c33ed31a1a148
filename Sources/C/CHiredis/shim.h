// hiredis (0.14: RESP2). It has no TLS of its own, so commands and answers can also be moved without its socket functions.
#pragma once
#include <hiredis/hiredis.h>

// How many bytes of commands wait to be sent. They begin at context->obuf.
static inline size_t spool_bytes_to_send(const redisContext *context) { return sdslen(context->obuf); }

// Forgets the first bytes of the commands, which were sent.
static inline void spool_forget_sent(redisContext *context, size_t count) {
    if (count >= sdslen(context->obuf)) sdsclear(context->obuf);
    else sdsrange(context->obuf, (int)count, -1);
}

// Gives the parser bytes of answers. Returns REDIS_OK, or REDIS_ERR without memory.
static inline int spool_feed(redisContext *context, const char *bytes, size_t count) {
    return redisReaderFeed(context->reader, bytes, count);
}
