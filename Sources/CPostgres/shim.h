// libpq, the macros of it that Swift does not import, and the descriptor that wakes a thread that waits for a server.
#pragma once
#include <postgresql/libpq-fe.h>
#include <postgresql/postgres_ext.h>
#include <sys/eventfd.h>

// The fields of an error (PQresultErrorField).
static const int spool_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int spool_diag_primary = PG_DIAG_MESSAGE_PRIMARY;
static const int spool_diag_detail = PG_DIAG_MESSAGE_DETAIL;
static const int spool_diag_constraint = PG_DIAG_CONSTRAINT_NAME;

// A counter that poll() sees as readable while it is not zero; -1 where there are no more descriptors.
static inline int spool_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
