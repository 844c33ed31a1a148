import ExportPlan
import Plugins
import TestSupport
import Testing

/// Generators and mixers with Spool's own interface, and plug-ins of its earlier version.
@Suite("Kinds of plug-ins with Spool's own interface")
struct SpoolPluginKindTests {
    private let size = FrameSize(width: 37, height: 23)

    @Test("The example generator draws its rays, which turn with the time")
    func generator() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.example("rays", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "rays")
        #expect(facts.plugin?.kind == .generator)
        let first = try PluginPicture.drawn(facts, in: directories, size: size, at: 0)
        #expect(try PluginPicture.drawn(facts, in: directories, size: size, at: 1) != first)
        #expect(try PluginPicture.drawn(facts, in: directories, size: size, at: 0) == first)
        #expect(stride(from: 3, to: first.bytes.count, by: 4).allSatisfy { first.bytes[$0] == 255 })
    }

    @Test("The example mixer shows the first picture at progress 0, the second one at 1, and a checkerboard between")
    func mixer() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.example("checker", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "checker")
        #expect(facts.plugin?.kind == .mixer)
        let first = PluginPicture.noise(size)
        let second = PluginPicture(size: size, bytes: first.bytes.map { 255 - $0 })
        func mixed(_ progress: Double) throws -> PluginPicture {
            try PluginPicture.drawn(
                facts, in: directories, of: [first, second], size: size, ["progress": .number(value: progress)])
        }
        #expect(try mixed(0) == first)
        #expect(try mixed(1) == second)
        let half = try mixed(0.5)
        let ofSecond = stride(from: 0, to: half.bytes.count, by: 4).count { half.bytes[$0] == second.bytes[$0] }
        #expect(abs(Double(ofSecond) / Double(size.width * size.height) - 0.5) < 0.2)
        for index in half.bytes.indices { #expect([first.bytes[index], second.bytes[index]].contains(half.bytes[index])) }
    }

    @Test("A plug-in that writes nothing draws a transparent picture as a generator, and its first picture as a mixer")
    func idle() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("nothing", "", kind: "GENERATOR", in: directory.path)
        _ = try await BuiltPlugins.plugin("first", "", kind: "MIXER", in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let nothing = try InstalledPlugins(directories).facts(ofPlugin: "nothing")
        #expect(Set(try PluginPicture.drawn(nothing, in: directories, size: size).bytes) == [0])
        let first = try InstalledPlugins(directories).facts(ofPlugin: "first")
        let picture = PluginPicture.noise(size, isOpaque: false)
        let other = PluginPicture(size: size, bytes: picture.bytes.reversed())
        #expect(try PluginPicture.drawn(first, in: directories, of: [picture, other], size: size) == picture)
    }

    @Test("A generator or a mixer that remembers frames is refused", arguments: ["GENERATOR", "MIXER"])
    func memory(kind: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("moody", "static int n; memset(output, n++, count);", kind: kind, in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "moody")
        }
        #expect(error?.code == .unusable)
        #expect(error?.message.contains("every time") == true)
    }

    @Test("A library that was built for version 1, whose declaration is shorter, is a filter")
    func firstVersion() async throws {
        let directory = try TemporaryDirectory()
        // The declaration of version 1, as its header had it, at the very end of a page, so that reading on would crash.
        let text = """
            #define spool_plugin newer_plugin
            #define spool_plugin_declaration newer_declaration
            #include "spool_plugin.h"
            #undef spool_plugin
            #undef spool_plugin_declaration
            #include <string.h>
            #include <sys/mman.h>
            typedef struct spool_plugin {
                int version;
                const char *title, *explanation, *author;
                int parameter_count;
                const spool_plugin_parameter *parameters;
                void *(*prepare)(int width, int height, const spool_plugin_value *values);
                void (*release)(void *prepared);
                void (*render)(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                               const uint8_t *input, uint8_t *output);
            } spool_plugin;
            static void draw(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                             const uint8_t *input, uint8_t *output) {
                (void)prepared, (void)width, (void)time, (void)values;
                for (size_t i = 0; i < stride * (size_t)height; i++) output[i] = i % 4 == 3 ? input[i] : 255 - input[i];
            }
            const spool_plugin *spool_plugin_declaration(void) {
                char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                mprotect(pages + 4096, 4096, PROT_NONE);
                spool_plugin *plugin = (spool_plugin *)(pages + 4096 - sizeof(spool_plugin));
                *plugin = (spool_plugin){.version = 1, .title = "Old", .render = draw};
                return plugin;
            }
            """
        _ = try await BuiltPlugins.library("old", text, in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "old")
        #expect(facts.plugin?.kind == nil)
        let picture = PluginPicture.noise(size)
        var negative = picture
        for index in picture.bytes.indices where index % 4 != 3 { negative.bytes[index] = 255 - picture.bytes[index] }
        #expect(try picture.applying(facts, in: directories) == negative)
    }
}
