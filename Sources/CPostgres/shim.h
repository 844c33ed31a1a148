// libpq, and the macros of it that Swift does not import.
#pragma once
#include <postgresql/libpq-fe.h>
#include <postgresql/postgres_ext.h>

// The fields of an error (PQresultErrorField).
static const int spool_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int spool_diag_primary = PG_DIAG_MESSAGE_PRIMARY;
static const int spool_diag_detail = PG_DIAG_MESSAGE_DETAIL;
static const int spool_diag_constraint = PG_DIAG_CONSTRAINT_NAME;
