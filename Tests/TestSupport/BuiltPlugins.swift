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
    ///   - body: the body of `render`, or of `mix` for a mixer, which can use the argument names of `spool_plugin.h`.
    ///   - kind: the end of the name of its kind.
    ///   - version: the version of the plug-in interface.
    ///   - numbers: the names of further numbers, of 0 to 1.
    package static func plugin(
        _ name: String, _ body: String, kind: String = "FILTER", version: String = "SPOOL_PLUGIN_VERSION",
        numbers: [String] = [], in directory: String
    ) async throws -> String {
        let isMixer = kind == "MIXER"
        let inputs = isMixer ? "const uint8_t *first, const uint8_t *second" : "const uint8_t *input"
        let more = numbers.map { ", {.name = \"\($0)\", .kind = SPOOL_PLUGIN_NUMBER, .maximum = 1}" }.joined()
        let text = """
            #include "spool_plugin.h"
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            static const spool_plugin_parameter parameters[] = {
                {.name = "amount", .kind = SPOOL_PLUGIN_NUMBER, .maximum = 1, .standard = {.number = 0.5}}\(more)};
            static void draw(void *prepared, int width, int height, size_t stride, double time,
                             const spool_plugin_value *values, \(inputs), uint8_t *output) {
                const size_t count = stride * (size_t)height;
                (void)prepared, (void)width, (void)time, (void)values, (void)output, (void)count;
                \(isMixer ? "(void)first, (void)second;" : "(void)input;")
                \(body)
            }
            const spool_plugin *spool_plugin_declaration(void) {
                static const spool_plugin plugin = {.version = \(version), .title = "A test's",
                                                    .parameter_count = \(1 + numbers.count), .parameters = parameters,
                                                    .kind = SPOOL_PLUGIN_\(kind), .\(isMixer ? "mix" : "render") = draw};
                return &plugin;
            }
            """
        return try await library(name, text, in: directory)
    }

    /// Builds a library from C.
    /// - Returns: the library's path.
    package static func library(_ name: String, _ text: String, in directory: String) async throws -> String {
        let source = "\(directory)/\(name).c"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        return try await build(source, as: name, in: directory)
    }

    /// Builds a LADSPA library. Its first plug-in, `half`, multiplies one channel by its control `Factor` (0 to 2, 0.5 by
    /// default) and adds its last sample of the block before, times its control `Memory` (0 by default).
    /// - Parameters:
    ///   - body: more statements of `run` of `half`.
    ///   - factor: what every sample is multiplied with besides, which makes another version of the library.
    package static func ladspa(
        _ name: String, _ body: String = "", factor: Double = 1, in directory: String
    ) async throws -> String {
        let text = """
            #include <ladspa.h>
            #include <stdio.h>
            #include <stdlib.h>
            typedef struct { LADSPA_Data *port[8]; LADSPA_Data last; } State;
            static LADSPA_Handle make(const LADSPA_Descriptor *d, unsigned long rate) { (void)d, (void)rate; return calloc(1, sizeof(State)); }
            static void connect(LADSPA_Handle h, unsigned long port, LADSPA_Data *data) { ((State *)h)->port[port] = data; }
            static void run(LADSPA_Handle h, unsigned long count) {
                State *s = h;
                \(body)
                const LADSPA_Data last = s->last;
                for (unsigned long i = 0; i < count; i++) {
                    s->port[1][i] = s->port[0][i] * *s->port[2] * (LADSPA_Data)\(factor) + last * *s->port[3];
                }
                if (count > 0) s->last = s->port[1][count - 1];
            }
            static const LADSPA_PortDescriptor ports[] = {LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO, LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO,
                LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL, LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL, LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL};
            static const char *const names[] = {"In", "Out", "Factor", "Memory", "Steps"};
            static const LADSPA_PortRangeHint hints[] = {{0, 0, 0}, {0, 0, 0},
                {LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_LOW, 0, 2},
                {LADSPA_HINT_DEFAULT_0, 0, 0}, {LADSPA_HINT_INTEGER | LADSPA_HINT_BOUNDED_BELOW, 1, 0}};
            static const LADSPA_PortRangeHint multiples[] = {{0, 0, 0}, {0, 0, 0},
                {LADSPA_HINT_SAMPLE_RATE | LADSPA_HINT_DEFAULT_1, 0, 0}, {LADSPA_HINT_DEFAULT_0, 0, 0}, {LADSPA_HINT_DEFAULT_0, 0, 0}};
            #define PLUGIN(label, kinds, count, ranges) {1, label, LADSPA_PROPERTY_HARD_RT_CAPABLE, "A test's " label, "Tester", "None", count, \
                kinds, names, ranges, 0, make, connect, 0, run, 0, 0, 0, free}
            static const LADSPA_Descriptor plugins[] = {PLUGIN("half", ports, 4, hints), PLUGIN("needs", ports, 5, hints),
                PLUGIN("multiple", ports, 3, multiples), PLUGIN("generator", ports + 1, 1, hints)};
            const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
                return index < sizeof plugins / sizeof *plugins ? plugins + index : 0;
            }
            """
        return try await library(name, text, in: directory)
    }

    /// Builds the bundle of an LV2 plug-in, `urn:spool:half`, that multiplies one channel by its control `factor` (0 to 2, 0.5 by
    /// default).
    /// - Parameters:
    ///   - feature: the URI of a feature that it says it needs.
    ///   - port: the kind and the properties of a further input, in Turtle.
    package static func lv2(needing feature: String? = nil, port: String? = nil, in directory: String) async throws {
        let bundle = "\(directory)/half.lv2"
        let text = """
            #include <lv2/core/lv2.h>
            #include <stdlib.h>
            typedef struct { float *port[3]; } State;
            static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
                (void)d, (void)rate, (void)bundle, (void)features; return calloc(1, sizeof(State)); }
            static void connect(LV2_Handle h, uint32_t port, void *data) { ((State *)h)->port[port] = data; }
            static void run(LV2_Handle h, uint32_t count) {
                State *s = h;
                for (uint32_t i = 0; i < count; i++) s->port[1][i] = s->port[0][i] * *s->port[2];
            }
            static const LV2_Descriptor plugin = {"urn:spool:half", make, connect, 0, run, 0, free, 0};
            const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &plugin : 0; }
            """
        let needs = feature.map { " lv2:requiredFeature <\($0)> ;" } ?? ""
        let more = port.map { " , [ a lv2:InputPort, \($0) ; lv2:index 3 ; lv2:symbol \"more\" ; lv2:name \"More\" ]" } ?? ""
        let turtle = """
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            @prefix doap: <http://usefulinc.com/ns/doap#> .
            <urn:spool:half> a lv2:Plugin ; lv2:binary <half.so> ; doap:name "Half" ;\(needs)
              lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
                [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
                [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "factor" ; lv2:name "Factor" ;
                  lv2:minimum 0.0 ; lv2:maximum 2.0 ; lv2:default 0.5 ]\(more) .
            """
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for (name, content) in [("half.c", text), ("manifest.ttl", turtle)] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: "\(bundle)/\(name)"))
        }
        _ = try await build("\(bundle)/half.c", as: "half", in: bundle)
    }

    private static func build(_ source: String, as name: String, in directory: String) async throws -> String {
        let library = "\(directory)/\(name).so"
        let outcome = try await ShellTool.run(
            "cc -shared -fPIC -O2 -Wall -Wextra -Werror -I '\(root)/Sources/C/CPlugins/include' '\(source)' -o '\(library).new' -lm "
                + "&& mv '\(library).new' '\(library)'")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "cc: \(outcome.errors)") }
        return library
    }
}
