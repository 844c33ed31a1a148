import FoundationEssentials

/// Plug-ins that tests build with the C compiler, in a directory of their own.
package enum BuiltPlugins {
    private static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// Builds an example plug-in of the repository.
    /// - Returns: the library's path.
    package static func example(_ name: String, in directory: String) async throws -> String {
        try await build("\(root)/examples/plugins/\(name).c", as: name, in: directory)
    }

    /// Builds a plug-in with one number, `amount` (0 to 1, 0.5 by default).
    /// - Parameters:
    ///   - body: the body of `render`, which can use the argument names of `spool_plugin.h`.
    ///   - version: the version of the plug-in interface.
    package static func plugin(
        _ name: String, _ body: String, version: String = "SPOOL_PLUGIN_VERSION", in directory: String
    ) async throws -> String {
        let text = """
            #include "spool_plugin.h"
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            static const spool_plugin_parameter parameters[] = {
                {.name = "amount", .kind = SPOOL_PLUGIN_NUMBER, .maximum = 1, .standard = {.number = 0.5}}};
            static void render(void *prepared, int width, int height, size_t stride, double time,
                               const spool_plugin_value *values, const uint8_t *input, uint8_t *output) {
                const size_t count = stride * (size_t)height;
                (void)prepared, (void)width, (void)time, (void)values, (void)input, (void)output, (void)count;
                \(body)
            }
            const spool_plugin *spool_plugin_declaration(void) {
                static const spool_plugin plugin = {.version = \(version), .title = "A test's", .parameter_count = 1,
                                                    .parameters = parameters, .render = render};
                return &plugin;
            }
            """
        let source = "\(directory)/\(name).c"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        return try await build(source, as: name, in: directory)
    }

    private static func build(_ source: String, as name: String, in directory: String) async throws -> String {
        let library = "\(directory)/\(name).so"
        let outcome = try await ShellTool.run(
            "cc -shared -fPIC -O2 -Wall -Wextra -Werror -I '\(root)/Sources/C/CPlugins/include' '\(source)' -o '\(library).new' "
                + "&& mv '\(library).new' '\(library)'")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "cc: \(outcome.errors)") }
        return library
    }
}
