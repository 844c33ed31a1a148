// Loads shared libraries and finds the functions that they offer to the renderer. It is written in C because Swift can
// neither call functions found by name nor memfd_create.
#pragma once
#include "spool_plugin.h"

#include <frei0r.h>
#include <ladspa.h>
#include <stddef.h>

// Loads a shared library from its bytes, until the process ends. The library is exactly the bytes that were hashed,
// whatever happens to its file, and a new version is never mistaken for an older one of the same name.
// Returns NULL, with the reason in `reason`, when it cannot be loaded.
void *spool_load_library(const void *bytes, size_t count, char *reason, size_t reason_size);

// Copies the declaration of one of Spool's own plug-ins. What its version of the interface does not have is 0 in the
// copy; of a version that is not known there is only the version. Returns 0 when the library is not such a plug-in.
int spool_find_declaration(void *library, spool_plugin *declaration);

// The functions of a frei0r plug-in.
typedef struct spool_frei0r {
    int (*init)(void);
    void (*get_plugin_info)(f0r_plugin_info_t *info);
    void (*get_param_info)(f0r_param_info_t *info, int index);
    f0r_instance_t (*construct)(unsigned int width, unsigned int height);
    void (*destruct)(f0r_instance_t instance);
    void (*set_param_value)(f0r_instance_t instance, f0r_param_t value, int index);
    void (*get_param_value)(f0r_instance_t instance, f0r_param_t value, int index);
    // Draws for filters and sources; NULL where the library lacks it.
    void (*update)(f0r_instance_t instance, double time, const uint32_t *input, uint32_t *output);
    // Draws for mixers; NULL where the library lacks it.
    void (*update2)(f0r_instance_t instance, double time, const uint32_t *first, const uint32_t *second,
                    const uint32_t *third, uint32_t *output);
} spool_frei0r;

// Returns 1 when the library has the functions that every frei0r plug-in has, else 0.
int spool_find_frei0r(void *library, spool_frei0r *functions);

// Plug-in `index` of a LADSPA library, or NULL where there are no more, or the library has none.
const LADSPA_Descriptor *spool_find_ladspa(void *library, unsigned long index);

// Writes the path by which the dynamic loader knows a loaded library. Returns 0 where that is too long.
int spool_library_path(void *library, char *path, size_t path_size);
