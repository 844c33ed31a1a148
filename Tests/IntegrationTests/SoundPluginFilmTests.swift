import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// LADSPA and LV2 plug-ins at the command line, compared with FFmpeg's own command line over the whole sound.
@Suite struct SoundPluginFilmTests {
    /// A directory with plug-ins, a sound of 25 s and drafts that filter it.
    private struct Workshop {
        let directory: TemporaryDirectory
        var environment = ["SPOOL_PLUGIN_PATH": "/nonexistent", "FREI0R_PATH": "/nonexistent", "LV2_PATH": "/nonexistent"]

        init() async throws {
            directory = try TemporaryDirectory()
            let wave = Waveform.of(sampleRate: 44_100, channels: 2, count: 25 * 44_100) { time in
                0.4 * sin(2 * .pi * (300 + 200 * sin(time)) * time) * (0.5 + 0.5 * sin(7 * time))
            }
            try await wave.write(to: directory.file("a.wav"))
            environment["LADSPA_PATH"] = directory.file("plugins")
            try FileManager.default.createDirectory(atPath: directory.file("plugins"), withIntermediateDirectories: true)
        }

        private var variables: String { environment.map { "\($0)='\($1)'" }.joined(separator: " ") }

        func spool(_ words: String) async throws -> SpoolTool.Outcome {
            try await ShellTool.run(
                "cd '\(directory.path)' && \(variables) '\(SpoolTool.executable)' \(words) --cache cache")
        }

        /// Writes `draft.json`: the sound over clips of these lengths.
        func write(_ filters: String, mix: String = "", clips: [Int] = [25]) throws {
            let track = clips.map { #"{"type": "color", "duration": \#($0)}"# }.joined(separator: ", ")
            let draft = """
                {"version": 1, "videoSize": {"width": 16, "height": 16}, "frameRate": 25, "mainTrackClips": [\(track)],
                 "audioClips": [{"url": "a.wav", "audioFilters": [\(filters)]}], "audio": {"audioFilters": [\(mix)]}}
                """
            try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        }

        /// The samples of the film's sound, which are rounded to 16 bits.
        func film(_ words: String = "") async throws -> [Double] {
            let outcome = try await spool("export draft.json -o film.wav \(words)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try await samples("film.wav", "anull")
        }

        func samples(_ file: String, _ filter: String) async throws -> [Double] {
            let raw = directory.file("raw.f32")
            let outcome = try await ShellTool.run(
                "cd '\(directory.path)' && \(variables) ffmpeg -v error -y -i \(file) -filter_complex '\(filter)' -f f32le '\(raw)'"
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: raw))
            return data.withUnsafeBytes { bytes in bytes.bindMemory(to: Float.self).map(Double.init) }
        }
    }

    /// The greatest difference; 16-bit samples are rounded to 1.5e-5.
    private func difference(_ first: [Double], _ second: [Double]) -> Double {
        first.count == second.count ? zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test("LADSPA plug-ins filter a sound and the mix as in ffmpeg, on any number of processes and wherever clips begin")
    func ladspa() async throws {
        let workshop = try await Workshop()
        _ = try await BuiltPlugins.ladspa("amps", in: workshop.directory.file("plugins"))
        let sound = #"{"type": "ladspa", "file": "amps", "plugin": "half", "controls": {"Factor": 1.5, "c1": 0.25}}"#
        let mix = #"{"type": "ladspa", "file": "amps", "plugin": "half", "controls": {"Memory": -0.5}}"#
        try workshop.write(sound, mix: mix)
        let whole = try await workshop.film("--jobs 2")
        let path = workshop.directory.file("plugins/amps.so")
        // The plug-in adds something with each block, and gets blocks of 4096 samples.
        let wanted = try await workshop.samples(
            "a.wav",
            "asetnsamples=n=4096:p=0,ladspa=file=\(path):plugin=half:controls=c0=1.5|c1=0.25,ladspa=file=\(path):plugin=half:controls=c1=-0.5"
        )
        #expect(difference(whole, wanted) < 2e-5)
        try workshop.write(sound, mix: mix, clips: [3, 4, 1, 9, 8])
        #expect(try await workshop.film("--jobs 1") == whole)
        // Without the plug-in the sound is another one.
        try workshop.write("")
        #expect(difference(try await workshop.film(), whole) > 0.05)
    }

    @Test("A plug-in of Debian's swh-plugins that delays the sound gives ffmpeg's samples, in time")
    func debian() async throws {
        var workshop = try await Workshop()
        workshop.environment["LADSPA_PATH"] = "/usr/lib/ladspa"
        try workshop.write(
            #"{"type": "ladspa", "file": "hard_limiter_1413", "plugin": "hardLimiter", "controls": {"dB limit": -20, "Wet level": 1}}, {"type": "ladspa", "file": "fast_lookahead_limiter_1913", "plugin": "fastLookaheadLimiter", "controls": {"Input gain (dB)": 6}}"#
        )
        let wanted = try await workshop.samples(
            "a.wav",
            "asetnsamples=n=4096:p=0,ladspa=file=hard_limiter_1413:plugin=hardLimiter:controls=c0=-20|c1=1,"
                + "ladspa=file=fast_lookahead_limiter_1913:plugin=fastLookaheadLimiter:latency=1:controls=c0=6")
        let film = try await workshop.film()
        #expect(difference(film, Array(wanted.prefix(film.count))) < 3.2e-5)
    }

    @Test("An LV2 plug-in for one channel filters each channel, and a bundle of another content is another plug-in")
    func lv2() async throws {
        var workshop = try await Workshop()
        try await BuiltPlugins.lv2(in: workshop.directory.file("lv2"))
        workshop.environment["LV2_PATH"] = workshop.directory.file("lv2")
        try workshop.write(#"{"type": "lv2", "plugin": "urn:spool:half", "controls": {"factor": 0.75}}"#)
        let film = try await workshop.film()
        #expect(difference(film, try await workshop.samples("a.wav", "volume=0.75")) < 2e-5)
        let one = try await workshop.film("--set channels=1")
        #expect(one.count == film.count / 2 && difference(one, stride(from: 0, to: film.count, by: 2).map { film[$0] }) < 2e-5)
        let list = try await workshop.spool("plugins")
        #expect(list.output.contains("lv2/urn:spool:half (sound filter): Half"))
        #expect(list.output.contains("factor (number) = 0.5, 0.0 to 2.0: Factor"))
        // A new file in the bundle changes the key of the segments, and the film stays the same.
        let before = try await workshop.spool("plan draft.json")
        try Data("x".utf8).write(to: URL(fileURLWithPath: workshop.directory.file("lv2/half.lv2/preset.txt")))
        #expect(try await workshop.spool("plan draft.json").output != before.output)
        try await BuiltPlugins.lv2(needing: "urn:spool:unheard", in: workshop.directory.file("lv2"))
        let refused = try await workshop.spool("validate draft.json")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("needs <urn:spool:unheard>, which FFmpeg's host lacks"))
    }

    @Test(
        "An LV2 plug-in that FFmpeg's host would run wrongly, and one whose bundle cannot be read, are refused with the reason",
        arguments: [
            ("lv2:CVPort", ":", "has a port for control voltages, which FFmpeg's host does not serve"),
            (
                "lv2:ControlPort ; lv2:portProperty lv2:sampleRate", ":",
                "has a control in multiples of the sample rate, which FFmpeg's host does not know"
            ),
            (
                nil, "ln -s nowhere gone.txt",
                "half.lv2/gone.txt' cannot be read; check that it is there, and its permissions"
            ), (nil, "truncate -s 257M large.txt", "has more than 256 MB of files in '"),
        ] as [(String?, String, String)])
    func unusableLV2(_ port: String?, _ change: String, _ words: String) async throws {
        var workshop = try await Workshop()
        workshop.environment["LV2_PATH"] = workshop.directory.file("lv2")
        try await BuiltPlugins.lv2(port: port, in: workshop.directory.file("lv2"))
        let changed = try await ShellTool.run("cd '\(workshop.directory.file("lv2/half.lv2"))' && \(change)")
        try #require(changed.status == 0, "\(changed.errors)")
        try workshop.write(#"{"type": "lv2", "plugin": "urn:spool:half"}"#)
        let refused = try await workshop.spool("validate draft.json")
        #expect(refused.status != 0 && refused.errors.contains(words), "\(refused.errors)")
    }

    @Test("Misspelt names, unknown controls and values out of range are errors at their places")
    func faults() async throws {
        let workshop = try await Workshop()
        _ = try await BuiltPlugins.ladspa("amps", in: workshop.directory.file("plugins"))
        try workshop.write(#"{"type": "ladspa", "file": "../amps", "plugin": "half"}"#)
        let outcome = try await workshop.spool("validate draft.json")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("audioFilters[0].file: must be the name of a library on this machine"))
        try workshop.write(
            #"{"type": "ladspa", "file": "amp", "plugin": "half"}, {"type": "ladspa", "file": "amps", "plugin": "haalf"}, "#
                + #"{"type": "ladspa", "file": "amps", "plugin": "half", "controls": {"factor": 1, "c0": 2.5, "Memory": 0, "c1": 1}}, "#
                + #"{"type": "ladspa", "file": "amps", "plugin": "needs", "controls": {"Factor": 1}}, "#
                + #"{"type": "ladspa", "file": "amps", "plugin": "needs", "controls": {"Steps": 1.5}}, "#
                + #"{"type": "lv2", "plugin": "urn:nothing"}"#)
        let second = try await workshop.spool("validate draft.json")
        #expect(second.status == 65)
        for words in [
            "audioFilters[0].plugin: 'ladspa/amp/half' is not an installed plug-in: there is no LADSPA library 'amp' here; did you mean 'amps'?",
            "audioFilters[1].plugin: 'ladspa/amps/haalf' is not an installed plug-in: the LADSPA library 'amps' has no plug-in 'haalf'; did you mean 'half'?",
            "audioFilters[2].controls.factor: the plug-in 'ladspa/amps/half' has no control 'factor'; did you mean 'Factor'?",
            "audioFilters[2].controls.c0: must be 0...2, not 2.5",
            "audioFilters[2].controls.c1: is the control 'Memory', which is given twice; give it once",
            "audioFilters[3].controls: need 'Steps', for which the plug-in has no default",
            "audioFilters[4].controls.Steps: must be a whole number, not 1.5",
            "audioFilters[5].plugin: 'lv2/urn:nothing' is not an installed plug-in",
        ] { #expect(second.errors.contains(words), "\(second.errors)") }
    }

    @Test("Plug-ins that crash, hang or are random are refused by name, and others of the library are listed", .slow)
    func hostile() async throws {
        let workshop = try await Workshop()
        for (name, body, words) in [
            ("crash", "*(volatile int *)0 = 1;", "while it ran the plug-in 'ladspa/crash/half'"),
            ("hang", "for (;;) __asm__ volatile(\"\");", "while it ran the plug-in 'ladspa/hang/half'"),
            ("random", "*s->port[2] += (LADSPA_Data)rand() / RAND_MAX;", "filters the same sound differently every time"),
            ("huge", "*s->port[2] = 1e20f;", "louder than 120 dB"),
        ] {
            _ = try await BuiltPlugins.ladspa(name, body, in: workshop.directory.file("plugins"))
            try workshop.write(#"{"type": "ladspa", "file": "\#(name)", "plugin": "half"}"#)
            let outcome = try await workshop.spool("validate draft.json")
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(name): \(outcome.errors)")
        }
        try Data("no library".utf8).write(to: URL(fileURLWithPath: workshop.directory.file("plugins/text.so")))
        let list = try await workshop.spool("plugins")
        #expect(list.status == 0)
        for words in ["ladspa/random/generator: ", "ladspa/text/?: ", "makes sound of nothing"] {
            #expect(list.output.contains(words), "\(list.output)")
        }
    }

    @Test("A picture cannot be filtered by a plug-in for sounds, nor a sound by one for pictures")
    func kinds() async throws {
        let workshop = try await Workshop()
        _ = try await BuiltPlugins.ladspa("amps", in: workshop.directory.file("plugins"))
        let draft = #"""
            {"version": 1, "videoSize": {"width": 16, "height": 16}, "mainTrackClips": [{"type": "color", "duration": 1}],
             "effects": [{"type": "externalFilter", "name": "ladspa/amps/half"}]}
            """#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: workshop.directory.file("draft.json")))
        let outcome = try await workshop.spool("validate draft.json")
        #expect(outcome.errors.contains("effects[0].name: 'ladspa/amps/half' filters sounds; call it in audioFilters"))
    }
}
