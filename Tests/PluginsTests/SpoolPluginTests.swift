import ExactTime
import ExportPlan
import Operations
import Plugins
import TestSupport
import Testing

@Suite("Plug-ins with Spool's own interface")
struct SpoolPluginTests {
    private let size = FrameSize(width: 37, height: 23)

    @Test("The example declares what its source says")
    func declared() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.example("negative", in: directory.path)
        let facts = try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "negative")
        #expect(facts.container == "spool-plugin")
        let plugin = try #require(facts.plugin)
        #expect(plugin.title == "Negative" && plugin.name == "negative")
        #expect(
            plugin.parameters == [
                .init(
                    name: "amount", kind: .number, explanation: "0 is the picture, 1 its negative",
                    default: .number(value: 1)),
                .init(
                    name: "keepGreen", kind: .bool, explanation: "leaves the green channel alone",
                    default: .bool(value: false)),
            ])
    }

    @Test("A plug-in runs on every pixel with the given values and defaults, and alpha passes through")
    func rendered() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.example("negative", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "negative")
        let picture = PluginPicture.noise(size, isOpaque: false)
        let negative = try picture.applying(facts, in: directories)
        let some = try picture.applying(
            facts, in: directories, numbers: ["amount": 0.25], settings: ["keepGreen": .bool(value: true)])
        var expected = (picture, picture)
        for index in picture.bytes.indices where index % 4 != 3 {
            let value = picture.bytes[index]
            expected.0.bytes[index] = 255 - value
            if index % 4 != 1 { expected.1.bytes[index] = UInt8(Double(value) + (255 - 2 * Double(value)) / 4 + 0.5) }
        }
        #expect(negative == expected.0)
        #expect(some == expected.1)
    }

    @Test("A plug-in receives its clip's own time in seconds")
    func time() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("clock", "memset(output, (int)(time * 10 + 0.5), count);", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "clock")
        let drawn = try PluginPicture.noise(size).applying(facts, in: directories, at: MediaTime(Rational(24, 10)), channels: 3)
        #expect(Set(drawn.bytes) == [24])
    }

    @Test("A plug-in's alpha is used if the picture has alpha, and ignored if it is opaque")
    func alpha() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin(
            "clear", "for (size_t i = 0; i < count; i++) output[i] = i % 4 == 3 ? 0 : 200;", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let clear = try InstalledPlugins(directories).facts(ofPlugin: "clear")
        #expect(Set(try PluginPicture.noise(size).applying(clear, in: directories, channels: 3).bytes) == [200])
        let translucent = try PluginPicture.noise(size, isOpaque: false).applying(clear, in: directories)
        #expect(stride(from: 3, to: translucent.bytes.count, by: 4).allSatisfy { translucent.bytes[$0] == 0 })
    }

    @Test(
        "A plug-in that does not draw the same frame the same way every time is refused",
        arguments: [
            (
                "static int frames; memset(output, frames++, count);",
                "draws the same frame differently every time; no film could be rendered twice"
            ),
            ("static uint8_t last[1 << 20]; memcpy(output, last, count); memcpy(last, input, count);", "every time"),
        ])
    func unsteady(body: String, words: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("moody", body, in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "moody")
        }
        #expect(error?.failureClass == .input)
        #expect(error?.message.contains(words) == true)
    }

    @Test("Random numbers follow from the frame's time: noise changes, and a frame can be drawn again")
    func chance() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin(
            "noise", "for (size_t i = 0; i < count; i++) output[i] = (uint8_t)(rand() >> 8);", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "noise")
        let picture = PluginPicture.noise(size)
        let first = try picture.applying(facts, in: directories, at: MediaTime(Rational(1, 25)))
        let second = try picture.applying(facts, in: directories, at: MediaTime(Rational(2, 25)))
        #expect(first != second)
        #expect(try picture.applying(facts, in: directories, at: MediaTime(Rational(1, 25))) == first)
    }

    @Test("A plug-in that refuses to prepare for a size is named with the size and what to do")
    func refusedSize() async throws {
        let text = """
            #include "spool_plugin.h"
            #include <string.h>
            static void *prepare(int width, int height, const spool_plugin_value *values) {
                static char nothing;
                (void)height, (void)values;
                return width > 64 ? NULL : &nothing;
            }
            static void drop(void *prepared) { (void)prepared; }
            static void draw(void *prepared, int width, int height, size_t stride, double time,
                             const spool_plugin_value *values, const uint8_t *input, uint8_t *output) {
                (void)prepared, (void)width, (void)time, (void)values;
                memcpy(output, input, stride * (size_t)height);
            }
            const spool_plugin *spool_plugin_declaration(void) {
                static const spool_plugin plugin = {.version = SPOOL_PLUGIN_VERSION, .title = "A test's", .prepare = prepare,
                                                    .release = drop, .render = draw};
                return &plugin;
            }
            """
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.library("narrow", text, in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "narrow")
        let picture = PluginPicture.noise(FrameSize(width: 65, height: 8))
        let error = try #require(throws: OperationError.self) { try picture.applying(facts, in: directories) }
        #expect(error.code == .pluginRefused && error.subject == "narrow")
        #expect(error.message == "does not take a picture of 65x8 pixels; leave it out, or use another size")
    }

    @Test("A plug-in for another version of the interface is refused")
    func version() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("new", "", version: "3", in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "new")
        }
        #expect(error?.code == .unusable)
        #expect(error?.message == "is for version 3 of the interface, not 2; rebuild it")
    }

    @Test(
        "A declaration that contradicts itself is refused with what is wrong",
        arguments: [
            (".kind = 7, .render = draw", "declares the kind 7, which is not one of the interface"),
            (".kind = SPOOL_PLUGIN_GENERATOR", "is a generator and needs a render function"),
            (".kind = SPOOL_PLUGIN_MIXER, .render = draw", "is a mixer and needs a mix function"),
            (".render = draw, .release = drop", "needs either both of prepare and release or none"),
            (".render = draw, .parameter_count = 1", "declares 1 parameters"),
            (
                ".render = draw, .parameter_count = 1, .parameters = parameters",
                "declares its parameter 0 with an unknown kind, no name or an empty range"
            ),
        ])
    func contradictions(declaration: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let text = """
            #include "spool_plugin.h"
            static const spool_plugin_parameter parameters[] = {{.name = "amount", .kind = 9, .maximum = 1}};
            static void draw(void *prepared, int width, int height, size_t stride, double time,
                             const spool_plugin_value *values, const uint8_t *input, uint8_t *output) {
                (void)prepared, (void)width, (void)height, (void)stride, (void)time, (void)values, (void)input, (void)output;
            }
            static void drop(void *prepared) { (void)prepared; }
            const spool_plugin *spool_plugin_declaration(void) {
                static const spool_plugin plugin = {.version = SPOOL_PLUGIN_VERSION, .title = "A test's", \(declaration)};
                (void)parameters, (void)draw, (void)drop;
                return &plugin;
            }
            """
        _ = try await BuiltPlugins.library("odd", text, in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "odd")
        }
        #expect(error?.code == .unusable && error?.message == message)
    }
}
