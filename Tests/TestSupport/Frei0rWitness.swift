import FoundationEssentials

/// A program in C that loads a mixer of frei0r and calls `f0r_update2` once, as a witness that knows nothing of Spool.
package struct Frei0rWitness {
    private let directory: TemporaryDirectory
    private let program: String

    /// Builds the program.
    package init() async throws {
        directory = try TemporaryDirectory()
        program = directory.file("mix")
        let source = directory.file("mix.c")
        try Data(Frei0rWitness.text.utf8).write(to: URL(fileURLWithPath: source))
        let outcome = try await ShellTool.run("cc -O1 -Wall '\(source)' -o '\(program)' -ldl")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "cc: \(outcome.errors)") }
    }

    /// The picture that a mixer makes of two pictures of 8-bit red, green, blue and alpha, whose sides are multiples of 8. The result
    /// begins as a copy of the first one.
    /// - Parameter numbers: values of numbers, by the index of the parameter.
    package func mixed(
        _ library: String, _ first: [UInt8], _ second: [UInt8], width: Int, height: Int, numbers: [Int: Double] = [:],
        at time: Double = 0
    ) async throws -> [UInt8] {
        let (one, two, result) = (directory.file("1.raw"), directory.file("2.raw"), directory.file("3.raw"))
        try Data(first).write(to: URL(fileURLWithPath: one))
        try Data(second).write(to: URL(fileURLWithPath: two))
        let values = numbers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
        let outcome = try await ShellTool.run(
            "'\(program)' '\(library)' \(width) \(height) \(time) '\(one)' '\(two)' '\(result)' \(values)")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "mix \(library): \(outcome.errors)") }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: result)))
    }

    private static let text = """
        #include <dlfcn.h>
        #include <frei0r.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        static void swap(uint32_t *p, size_t n) {
            for (size_t i = 0; i < n; i++) p[i] = (p[i] & 0xFF00FF00u) | ((p[i] >> 16) & 0xFF) | ((p[i] & 0xFF) << 16);
        }
        static uint32_t *load(const char *path, size_t n) {
            uint32_t *p = aligned_alloc(64, (4 * n + 63) / 64 * 64);
            FILE *f = fopen(path, "rb");
            if (f == NULL || fread(p, 4, n, f) != n) exit(2);
            fclose(f);
            return p;
        }
        int main(int argc, char **argv) {
            void *library = dlopen(argv[1], RTLD_NOW);
            if (library == NULL) { fprintf(stderr, "%s", dlerror()); return 1; }
            int (*init)(void) = (int (*)(void))dlsym(library, "f0r_init");
            void (*info)(f0r_plugin_info_t *) = (void (*)(f0r_plugin_info_t *))dlsym(library, "f0r_get_plugin_info");
            f0r_instance_t (*construct)(unsigned, unsigned) = (f0r_instance_t(*)(unsigned, unsigned))dlsym(library, "f0r_construct");
            void (*set)(f0r_instance_t, f0r_param_t, int) = (void (*)(f0r_instance_t, f0r_param_t, int))dlsym(library, "f0r_set_param_value");
            void (*update)(f0r_instance_t, double, const uint32_t *, const uint32_t *, const uint32_t *, uint32_t *) =
                (void (*)(f0r_instance_t, double, const uint32_t *, const uint32_t *, const uint32_t *, uint32_t *))dlsym(library, "f0r_update2");
            const unsigned w = atoi(argv[2]), h = atoi(argv[3]);
            const size_t n = (size_t)w * h;
            f0r_plugin_info_t plugin;
            init();
            info(&plugin);
            f0r_instance_t instance = construct(w, h);
            for (int i = 8; i + 1 < argc; i += 2) { double value = atof(argv[i + 1]); set(instance, &value, atoi(argv[i])); }
            uint32_t *one = load(argv[5], n), *two = load(argv[6], n), *out = aligned_alloc(64, (4 * n + 63) / 64 * 64);
            if (plugin.color_model == F0R_COLOR_MODEL_BGRA8888) { swap(one, n); swap(two, n); }
            // A mixer may leave pixels as they are.
            memcpy(out, one, 4 * n);
            update(instance, atof(argv[4]), one, two, NULL, out);
            if (plugin.color_model == F0R_COLOR_MODEL_BGRA8888) swap(out, n);
            FILE *f = fopen(argv[7], "wb");
            return f != NULL && fwrite(out, 4, n, f) == n && fclose(f) == 0 ? 0 : 2;
        }
        """
}
