#include "include/libpq_loading.h"
#include "../LibraryLoading/library_loading.h"

#include <pthread.h>

// Every function of libpq that Spool calls: its result, name, parameters, and the arguments that are passed on.
#define FUNCTIONS(F) \
    F(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand), \
      (keywords, values, expand)) \
    F(PostgresPollingStatusType, PQconnectPoll, (PGconn *connection), (connection)) \
    F(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
    F(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
    F(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    F(char *, PQhost, (const PGconn *connection), (connection)) \
    F(char *, PQport, (const PGconn *connection), (connection)) \
    F(int, PQsocket, (const PGconn *connection), (connection)) \
    F(int, PQbackendPID, (const PGconn *connection), (connection)) \
    F(int, PQsetnonblocking, (PGconn *connection, int on), (connection, on)) \
    F(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity)) \
    F(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *connection, PQnoticeProcessor processor, void *argument), \
      (connection, processor, argument)) \
    F(int, PQsendQuery, (PGconn *connection, const char *statement), (connection, statement)) \
    F(int, PQsendQueryParams, \
      (PGconn *connection, const char *statement, int count, const Oid *types, const char *const *values, \
       const int *lengths, const int *formats, int result), \
      (connection, statement, count, types, values, lengths, formats, result)) \
    F(int, PQsendPrepare, \
      (PGconn *connection, const char *name, const char *statement, int count, const Oid *types), \
      (connection, name, statement, count, types)) \
    F(int, PQsendQueryPrepared, \
      (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
       const int *formats, int result), \
      (connection, name, count, values, lengths, formats, result)) \
    F(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    F(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
    F(int, PQpipelineSync, (PGconn *connection), (connection)) \
    F(int, PQflush, (PGconn *connection), (connection)) \
    F(int, PQconsumeInput, (PGconn *connection), (connection)) \
    F(int, PQisBusy, (PGconn *connection), (connection)) \
    F(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    F(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
    F(PGcancel *, PQgetCancel, (PGconn *connection), (connection)) \
    F(int, PQcancel, (PGcancel *cancel, char *reason, int size), (cancel, reason, size)) \
    F(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
    F(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
    F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    F(int, PQntuples, (const PGresult *result), (result)) \
    F(int, PQnfields, (const PGresult *result), (result)) \
    F(char *, PQfname, (const PGresult *result, int column), (result, column)) \
    F(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
    F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    F(char *, PQcmdTuples, (PGresult *result), (result)) \
    F(int, PQlibVersion, (void), ())

// The functions that return nothing.
#define PROCEDURES(F) \
    F(void, PQfinish, (PGconn *connection), (connection)) \
    F(void, PQclear, (PGresult *result), (result)) \
    F(void, PQfreemem, (void *memory), (memory)) \
    F(void, PQfreeCancel, (PGcancel *cancel), (cancel))

FUNCTIONS(LOADED_POINTER)
PROCEDURES(LOADED_POINTER)
FUNCTIONS(LOADED_FUNCTION)
PROCEDURES(LOADED_PROCEDURE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
// PQenterPipelineMode and others are in libpq since PostgreSQL 14.
static loaded_library library = {.file = "libpq.so.5", .name = "libpq", .package = "libpq5"};

static void load(void) {
    open_library(&library);
#define FIND(...) LOADED_FIND(library, __VA_ARGS__)
    FUNCTIONS(FIND)
    PROCEDURES(FIND)
}

const char *spool_load_libpq(void) {
    pthread_once(&once, load);
    return library_fault(&library);
}
