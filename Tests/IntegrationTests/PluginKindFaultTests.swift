import TestSupport
import Testing
import FoundationEssentials

/// Generators and mixers that are missing, of another kind than a draft takes them for, or hostile.
@Suite struct PluginKindFaultTests {
    private static let film = ##"{"type": "color", "color": "#404040", "duration": 2}"##

    /// The places that take a generator or a mixer of a name: the clips, the rest of the draft, and the path.
    private static let places: [(kind: String, clips: String, rest: String, path: String)] = [
        ("GENERATOR", #"{"type": "generator", "name": "NAME", "duration": 2}"#, "", "mainTrackClips[0].name"),
        (
            "GENERATOR", film,
            #", "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "generator", "name": "NAME"}}]"#,
            "layers[0].source.name"
        ),
        (
            "MIXER",
            film
                + ##", {"type": "color", "duration": 2, "transition": {"type": "externalTransition", "name": "NAME", "duration": 1}}"##,
            "", "mainTrackClips[1].transition.name"
        ),
        (
            "MIXER", film,
            ##", "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "solid", "color": "#FF0000"}, "blendMode": {"type": "external", "name": "NAME"}}]"##,
            "layers[0].blendMode.name"
        ),
        (
            "MIXER", film,
            ##", "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "solid", "color": "#FF0000"}, "transitionIn": {"type": "externalTransition", "name": "NAME", "duration": 1}}]"##,
            "layers[0].transitionIn.name"
        ),
    ]

    @Test("A missing plug-in, and one of another kind, are errors of the draft at every place")
    func wrong() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.plugin("tint", "memcpy(output, input, count);", in: workshop.plugins)
        for (_, clips, rest, path) in Self.places {
            for (name, words) in [
                ("tnit", "'tnit' is not an installed plug-in"), ("tint", "'tint' is a filter; call it as an externalFilter"),
            ] {
                try workshop.write(clips: clips.replacing("NAME", with: name), rest.replacing("NAME", with: name))
                let outcome = try await workshop.spool("validate draft.json")
                #expect(outcome.status == 65)
                #expect(outcome.errors.contains("\(path): \(words)"), "\(outcome.errors)")
            }
        }
    }

    @Test("A plug-in that crashes while it draws fails its own job by name, at every place")
    func crash() async throws {
        let workshop = try await PluginWorkshop()
        for (kind, clips, rest, _) in Self.places {
            // The probe tries the plug-in on a picture of another size.
            _ = try await BuiltPlugins.plugin("bomb", "if (height == 64) abort();", kind: kind, in: workshop.plugins)
            try workshop.write(clips: clips.replacing("NAME", with: "bomb"), rest.replacing("NAME", with: "bomb"))
            let time = clips.contains("Transition") ? 1.5 : 0.5
            let outcome = try await workshop.spool("frame draft.json --time \(time) -o frame.png")
            #expect(outcome.status == 70)
            #expect(outcome.errors.contains("while it ran the plug-in 'bomb'"), "\(outcome.errors)")
        }
        try workshop.write(clips: Self.film)
        #expect(try await workshop.spool("frame draft.json --time 1 -o frame.png").status == 0)
    }

    @Test(
        "A plug-in that hangs or crashes when it is tried is refused, and named",
        arguments: TestForm.part(1, of: ["abort();", "for (;;) {}"]))
    func refused(body: String) async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.plugin("stuck", body, kind: "GENERATOR", in: workshop.plugins)
        try workshop.write(clips: Self.places[0].clips.replacing("NAME", with: "stuck"))
        let outcome = try await workshop.spool("validate draft.json")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("'stuck'"), "\(outcome.errors)")
    }

    @Test("A generator that needs more numbers than a draft may give has the others at their defaults")
    func many() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.plugin(
            "many", "memset(output, values[900].number == 0 && values[0].number == 1 ? 255 : 0, count);", kind: "GENERATOR",
            numbers: (1...900).map { "n\($0)" }, in: workshop.plugins)
        try workshop.write(clips: #"{"type": "generator", "name": "many", "duration": 2, "parameters": {"amount": 1}}"#)
        #expect(try await workshop.spool("frame draft.json --time 1 -o frame.png").status == 0)
        #expect(try await workshop.color(of: "frame.png") == [255, 255, 255])
    }

    @Test("The kinds of Debian's effects of frei0r are listed, and the documentation names every one that is refused")
    func debian() async throws {
        let directory = "/usr/lib/frei0r-1"
        guard FileManager.default.fileExists(atPath: "\(directory)/xfade0r.so") else {
            return print("skipped: there are no effects of frei0r here; install frei0r-plugins")
        }
        struct Entry: Decodable {
            var name: String
            var kind: String?
            var fault: String?
        }
        let cache = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            "SPOOL_PLUGIN_PATH=/nonexistent FREI0R_PATH='\(directory)' LADSPA_PATH=/nonexistent LV2_PATH=/nonexistent "
                + "'\(SpoolTool.executable)' plugins --json --cache '\(cache.path)'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let entries = try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
        let counts = Dictionary(grouping: entries, by: { $0.fault == nil ? $0.kind ?? "" : "refused" }).mapValues(\.count)
        let documentation = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: "\(SpoolTool.root)/docs/plugins.md")), as: UTF8.self)
        for entry in entries where entry.fault != nil { #expect(documentation.contains("`\(entry.name)`"), "\(entry.name)") }
        for entry in entries where entry.kind == "generator" || entry.kind == "mixer" {
            #expect(documentation.contains("`\(entry.name)`"), "\(entry.name)")
        }
        // Another release of Debian may have others.
        if entries.count == 136 {
            #expect(counts == ["filter": 78, "generator": 8, "mixer": 32, "refused": 18])
        }
    }
}
