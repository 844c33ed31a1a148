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
        for (label, words) in [("generator", "makes sound of nothing"), ("multiple", "multiples of the sample rate")] {
            let error = try reason(.ladspa(file: "amps", label: label))
            #expect(error.code == .unusable && error.message.contains(words))
        }
    }

    @Test("Names that are not there are errors with the nearest name")
    func unknown() throws {
        #expect(try reason(.ladspa(file: "amp", label: "half")).message.contains("did you mean 'amps'?"))
        #expect(try reason(.ladspa(file: "amps", label: "hal")).message.contains("did you mean 'half'?"))
        #expect(try reason(.ladspa(file: "amps", label: "q")).message.contains("there are half, needs, multiple, generator"))
        #expect(try reason(.lv2(uri: "urn:nothing")).code == .unknownPlugin)
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
        #expect(try installed.facts(ofSoundPlugin: .ladspa(file: "amps", label: "half")).contentHash != facts.contentHash)
    }

    @Test("Names are written and read as they are", arguments: ["ladspa/a/b", "ladspa/a/b/c", "lv2/http://x.y/z#w"])
    func names(_ text: String) { #expect(SoundPluginName(text)?.text == text) }

    @Test("Other names name no plug-in for sounds", arguments: ["", "glow", "ladspa/a", "ladspa//b", "ladspa/a/", "lv2/", "lv2"])
    func others(_ text: String) { #expect(SoundPluginName(text) == nil) }
}
