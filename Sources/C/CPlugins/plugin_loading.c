#define _GNU_SOURCE
#include "include/plugin_loading.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *spool_load_library(const void *bytes, size_t count, char *reason, size_t reason_size) {
    int file = memfd_create("spool-plugin", MFD_CLOEXEC);
    if (file < 0) {
        snprintf(reason, reason_size, "%s", strerror(errno));
        return NULL;
    }
    size_t done = 0;
    while (done < count) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written < 0) {
            snprintf(reason, reason_size, "%s", strerror(errno));
            close(file);
            return NULL;
        }
        done += (size_t)written;
    }
    // The dynamic loader identifies libraries by path. The descriptor stays open so that no other library gets the same
    // path.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *message = dlerror();
        snprintf(reason, reason_size, "%s", message == NULL ? "unknown reason" : message);
        close(file);
    }
    return library;
}

int spool_find_declaration(void *library, spool_plugin *declaration) {
    const spool_plugin *(*declare)(void) = (const spool_plugin *(*)(void))dlsym(library, "spool_plugin_declaration");
    const spool_plugin *found = declare == NULL ? NULL : declare();
    if (found == NULL) return 0;
    // A declaration of version 1 ends before `kind`, and one of an unknown version may have any size.
    memset(declaration, 0, sizeof *declaration);
    declaration->version = found->version;
    if (found->version == 1) memcpy(declaration, found, offsetof(spool_plugin, kind));
    if (found->version == SPOOL_PLUGIN_VERSION) *declaration = *found;
    return 1;
}

int spool_find_frei0r(void *library, spool_frei0r *functions) {
    functions->init = (int (*)(void))dlsym(library, "f0r_init");
    functions->get_plugin_info = (void (*)(f0r_plugin_info_t *))dlsym(library, "f0r_get_plugin_info");
    functions->get_param_info = (void (*)(f0r_param_info_t *, int))dlsym(library, "f0r_get_param_info");
    functions->construct = (f0r_instance_t(*)(unsigned int, unsigned int))dlsym(library, "f0r_construct");
    functions->destruct = (void (*)(f0r_instance_t))dlsym(library, "f0r_destruct");
    functions->set_param_value = (void (*)(f0r_instance_t, f0r_param_t, int))dlsym(library, "f0r_set_param_value");
    functions->get_param_value = (void (*)(f0r_instance_t, f0r_param_t, int))dlsym(library, "f0r_get_param_value");
    functions->update =
        (void (*)(f0r_instance_t, double, const uint32_t *, uint32_t *))dlsym(library, "f0r_update");
    functions->update2 = (void (*)(f0r_instance_t, double, const uint32_t *, const uint32_t *, const uint32_t *,
                                   uint32_t *))dlsym(library, "f0r_update2");
    return functions->init && functions->get_plugin_info && functions->get_param_info && functions->construct &&
           functions->destruct && functions->set_param_value && functions->get_param_value;
}

const LADSPA_Descriptor *spool_find_ladspa(void *library, unsigned long index) {
    LADSPA_Descriptor_Function descriptor = (LADSPA_Descriptor_Function)dlsym(library, "ladspa_descriptor");
    return descriptor == NULL ? NULL : descriptor(index);
}

int spool_library_path(void *library, char *path, size_t path_size) {
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == NULL) return 0;
    const int written = snprintf(path, path_size, "%s", map->l_name);
    return written > 0 && (size_t)written < path_size;
}
