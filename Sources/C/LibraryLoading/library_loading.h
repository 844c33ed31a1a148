// What the C targets share that load a library with its first use: loading takes milliseconds, which a command that does
// not use the library need not wait for. CCrypto, CCurl and CPostgres include this header by its relative path; it belongs
// to no target of its own.
//
// Such a target lists the library's functions in a macro,
//
//     #define FUNCTIONS(F) F(int, PQsocket, (const PGconn *connection), (connection)) ...
//
// with the result, the name, the parameters, and the arguments that are passed on, and applies the macros below to it:
//
//     FUNCTIONS(LOADED_POINTER)            declares loaded_PQsocket, a pointer that is NULL until the library is loaded
//     FUNCTIONS(LOADED_FUNCTION)           defines PQsocket, which calls the function behind that pointer
//     #define FIND(...) LOADED_FIND(library, __VA_ARGS__)
//     FUNCTIONS(FIND)                      sets the pointers
//
// Functions that return nothing stand in a list of their own, which LOADED_PROCEDURE defines.
#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

// A library that is loaded once.
typedef struct {
    // The name by which the dynamic loader finds it, such as "libpq.so.5".
    const char *file;
    // Its name in messages, such as "libpq".
    const char *name;
    // Debian's package that contains it, such as "libpq5".
    const char *package;
    void *handle;
    // Why it cannot be used; empty if it can.
    char fault[512];
} loaded_library;

static inline void open_library(loaded_library *library) {
    library->handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (library->handle != NULL) return;
    const char *message = dlerror();
    snprintf(library->fault, sizeof library->fault, "%s cannot be loaded; install Debian's package %s (%s)", library->name,
             library->package, message == NULL ? "unknown reason" : message);
}

// Returns NULL, and says so in the library's fault, if the library is not loaded or has no such function.
static inline void *find_function(loaded_library *library, const char *name) {
    if (library->handle == NULL) return NULL;
    void *function = dlsym(library->handle, name);
    if (function == NULL)
        snprintf(library->fault, sizeof library->fault,
                 "%s has no function %s; install a newer version of Debian's package %s", library->name, name,
                 library->package);
    return function;
}

// Returns NULL if the library can be used, otherwise the reason why it cannot: text that stays valid.
static inline const char *library_fault(const loaded_library *library) {
    return library->fault[0] == 0 ? NULL : library->fault;
}

#define LOADED_POINTER(result, name, parameters, arguments) static result(*loaded_##name) parameters;
#define LOADED_FUNCTION(result, name, parameters, arguments) \
    result name parameters { return loaded_##name arguments; }
#define LOADED_PROCEDURE(result, name, parameters, arguments) \
    result name parameters { loaded_##name arguments; }
#define LOADED_FIND(library, result, name, parameters, arguments) \
    loaded_##name = (__typeof__(loaded_##name))find_function(&library, #name);
