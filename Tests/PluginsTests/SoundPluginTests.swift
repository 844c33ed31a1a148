import ExportPlan
import Plugins
import TestSupport
import Testing

/// What plug-ins that filter sounds declare. `SoundPluginFilmTests` has what they do in films.
@Suite("Plug-ins that filter sounds")
struct SoundPluginTests {
    private let directory: TemporaryDirectory
    private var installed: InstalledPlugins {
        InstalledPlugins(PluginDirectories(environment: ["LADSPA_PATH": directory.path]))
    }

    init() async throws {
        directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.ladspa("amps", in: directory.path)
    }

    private func reason(_ name: SoundPluginName) throws -> PluginError {
        try #require(throws: PluginError.self) { try installed.facts(ofSoundPlugin: name) }
    }

    @Test("The controls of a LADSPA plug-in have FFmpeg's names, the ports' own names, ranges and defaults")
    func controls() throws {
        let facts = try installed.facts(ofSoundPlugin: .ladspa(file: "amps", label: "needs"))
        let plugin = try #require(facts.plugin)
        #expect(facts.container == "ladspa" && plugin.name == "ladspa/amps/needs" && plugin.channels == 1)
        #expect(plugin.title == "A test's needs" && plugin.author == "Tester")
        #expect(plugin.parameters.map(\.name) == ["c0", "c1", "c2"])
        #expect(plugin.parameters.map(\.explanation) == ["Factor", "Memory", "Steps"])
        #expect(plugin.parameters.map(\.default) == [.number(value: 0.5), .number(value: 0), nil])
        let unlimited = Double(Float.greatestFiniteMagnitude)
        #expect(plugin.parameters.map(\.minimum) == [0, -unlimited, 1])
        #expect(plugin.parameters.map(\.maximum) == [2, unlimited, unlimited])
        #expect(plugin.parameters.map(\.isWhole) == [nil, nil, true])
    }

    @Test("Plug-ins that make sound of nothing, or count in multiples of the sample rate, cannot be called")
    func unusable() throws {
        for (label, words) in [
            ("generator", "makes sound of nothing"),
            ("multiple", "has the control 'Factor' in multiples of the sample rate, which FFmpeg's host does not know"),
        ] {
            let error = try reason(.ladspa(file: "amps", label: label))
            #expect(error.code == .unusable && error.message.contains(words))
        }
    }

    @Test("Names that are not there are errors with the nearest name")
    func unknown() throws {
        #expect(try reason(.ladspa(file: "amp", label: "half")).message.contains("did you mean 'amps'?"))
        #expect(try reason(.ladspa(file: "amps", label: "hal")).message.contains("did you mean 'half'?"))
        #expect(try reason(.ladspa(file: "amps", label: "q")).message.contains("there are half, needs, multiple, generator"))
        let absent = try reason(.lv2(uri: "urn:nothing"))
        #expect(absent.code == .unknownPlugin)
        #expect(absent.message.hasPrefix("is not an installed plug-in: there is no LV2 plug-in 'urn:nothing' here; "))
        let elsewhere = try #require(throws: PluginError.self) { try installed.names(inLadspaLibrary: "nowhere") }
        #expect(elsewhere.code == .unknownPlugin && elsewhere.message == "is no LADSPA library of this machine")
        let empty = try TemporaryDirectory()
        let none = InstalledPlugins(PluginDirectories(environment: ["LADSPA_PATH": empty.path]))
        let error = try #require(throws: PluginError.self) {
            try none.facts(ofSoundPlugin: .ladspa(file: "amps", label: "half"))
        }
        #expect(error.message.contains("there are none in \(empty.path)"), "\(error.message)")
    }

    @Test("A library that has no plug-ins, or some that are no filters of sounds, is refused with what it has")
    func otherPorts() async throws {
        let text = """
            #include <ladspa.h>
            #define IN LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO
            #define OUT LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO
            static const LADSPA_PortDescriptor ports[] = {IN, IN, IN, OUT, OUT, OUT};
            static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
            static const LADSPA_PortRangeHint hints[6] = {{0, 0, 0}};
            #define PLUGIN(label, count, kinds) {1, label, 0, label, "Tester", "None", count, kinds, names, hints, 0, \
                0, 0, 0, 0, 0, 0, 0, 0}
            static const LADSPA_Descriptor plugins[] = {
                PLUGIN("silent", 1, ports), PLUGIN("uneven", 3, ports + 1), PLUGIN("wide", 6, ports), PLUGIN("bare", 0, 0)};
            const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
                return index < sizeof plugins / sizeof *plugins ? plugins + index : 0;
            }
            """
        _ = try await BuiltPlugins.library("ports", text, in: directory.path)
        _ = try await BuiltPlugins.library("empty", "int nothing;", in: directory.path)
        for (file, label, message) in [
            ("ports", "silent", "gives no sound; only filters of sounds can be called"),
            ("ports", "uneven", "takes 2 channels and gives 1; a filter gives as many as it takes"),
            ("ports", "wide", "takes 3 channels; plug-ins for one or two can be called"),
            ("ports", "bare", "declares no ports"), ("empty", "half", "has no LADSPA plug-ins"),
        ] {
            let error = try reason(.ladspa(file: file, label: label))
            #expect(error.code == .unusable && error.message == message, "\(label): \(error.message)")
        }
    }

    @Test("A plan's plug-in is found by its content, and another version is an error of the machine")
    func versions() async throws {
        let facts = try installed.facts(ofSoundPlugin: .ladspa(file: "amps", label: "half"))
        let plugin = SoundPlugin(name: "ladspa/amps/half", contentHash: facts.contentHash, channels: 1)
        #expect(try installed.libraryPath(of: plugin).hasPrefix("/proc/self/fd/"))
        _ = try await BuiltPlugins.ladspa("amps", factor: 0.25, in: directory.path)
        let error = try #require(throws: PluginError.self) { try installed.libraryPath(of: plugin) }
        #expect(error.code == .missingVersion && error.failureClass == .environment)
        #expect(error.message.contains("here is another version"))
        #expect(error.message.hasSuffix("; install the same on all machines, or render again"))
        for (name, message) in [
            (
                "ladspa/none/half",
                "is a plug-in with sha256 ab, but none is installed here; install the same on all machines, or render again"
            ),
            ("glow", "is no plug-in that filters sounds"),
        ] {
            let absent = SoundPlugin(name: name, contentHash: "ab", channels: 1)
            let error = try #require(throws: PluginError.self) { try installed.libraryPath(of: absent) }
            #expect(error.message == message)
        }
        #expect(try installed.facts(ofSoundPlugin: .ladspa(file: "amps", label: "half")).contentHash != facts.contentHash)
    }

    @Test("Names are written and read as they are", arguments: ["ladspa/a/b", "ladspa/a/b/c", "lv2/http://x.y/z#w"])
    func names(_ text: String) { #expect(SoundPluginName(text)?.text == text) }

    @Test("Other names name no plug-in for sounds", arguments: ["", "glow", "ladspa/a", "ladspa//b", "ladspa/a/", "lv2/", "lv2"])
    func others(_ text: String) { #expect(SoundPluginName(text) == nil) }
}
