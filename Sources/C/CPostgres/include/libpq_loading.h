// libpq, loaded with its first use, because loading it takes several milliseconds that a command without a database need
// not wait for; twins of its macros that Swift does not import; and a descriptor that wakes a thread waiting for a server.
#pragma once
#include <postgresql/libpq-fe.h>
#include <postgresql/postgres_ext.h>
#include <sys/eventfd.h>

// Loads libpq, once. It must have succeeded before any other function of libpq is called.
// Returns NULL, or the reason why libpq cannot be loaded: text that stays valid.
const char *spool_load_libpq(void);

// The fields of an error (PQresultErrorField).
static const int spool_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int spool_diag_primary = PG_DIAG_MESSAGE_PRIMARY;
static const int spool_diag_detail = PG_DIAG_MESSAGE_DETAIL;
static const int spool_diag_constraint = PG_DIAG_CONSTRAINT_NAME;

// A counter that poll() reports as readable while it is not zero; -1 where no more descriptors are available.
static inline int spool_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
