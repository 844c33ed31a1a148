import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Plug-ins at the command line: they are found, checked and run, and cannot harm other jobs.
@Suite struct PluginFilmTests {
    @Test("The example plug-in is listed, checked and drawn")
    func example() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.example("negative", in: workshop.plugins)
        let list = try await workshop.spool("plugins")
        #expect(list.status == 0)
        #expect(list.output.contains("negative (filter): Mixes the picture with its negative."))
        #expect(list.output.contains("amount (number) = 1.0, 0.0 to 1.0: 0 is the picture, 1 its negative"))
        try workshop.write(#"{"type": "externalFilter", "name": "negative"}"#)
        let frame = try await workshop.spool("frame draft.json --time 3 -o frame.png")
        #expect(frame.status == 0, "\(frame.errors)")
        let color = try await workshop.color(of: "frame.png")
        // Yellow, except for the rounding of the film's 8-bit 4:2:0.
        for (value, expected) in zip(color, [255, 255, 0]) { #expect(abs(Int(value) - expected) <= 3) }
        let doctor = try await workshop.spool("doctor")
        #expect(doctor.output.contains("plug-ins: 1 files in \(workshop.plugins)"))
    }

    @Test("A misspelt name or parameter and a value out of range are errors of the draft at their places")
    func faults() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.example("negative", in: workshop.plugins)
        try workshop.write(
            #"{"type": "externalFilter", "name": "negativ"}, "#
                + #"{"type": "externalFilter", "name": "negative", "parameters": {"amuont": 1, "amount": 7}}"#)
        let outcome = try await workshop.spool("validate draft.json")
        #expect(outcome.status == 65)
        for words in [
            "layers[0].operations[0].name: 'negativ' is not an installed plug-in; did you mean 'negative'?",
            "layers[0].operations[1].parameters.amuont: the plug-in 'negative' has no parameter 'amuont'; did you mean 'amount'?",
            "layers[0].operations[1].parameters.amount: must be 0...1, not 7",
        ] { #expect(outcome.errors.contains(words)) }
    }

    @Test(
        "A plug-in that crashes fails its own job by name, and later jobs are rendered",
        arguments: ["abort();", "*(volatile int *)strtoul(\"8\", NULL, 10) = 1;"])
    func crash(body: String) async throws {
        let workshop = try await PluginWorkshop()
        // The probe tries the plug-in on a picture of another size.
        _ = try await BuiltPlugins.plugin(
            "bomb", "memcpy(output, input, count); if (height == 64) { \(body) }", in: workshop.plugins)
        _ = try await BuiltPlugins.plugin("mine", body, in: workshop.plugins)
        try workshop.write(#"{"type": "externalFilter", "name": "bomb"}"#)
        let crashed = try await workshop.spool("frame draft.json --time 3 -o frame.png")
        #expect(crashed.status == 70)
        #expect(crashed.errors.contains("died 3 times on the same job while it ran the plug-in 'bomb'"))
        let list = try await workshop.spool("plugins")
        #expect(list.status == 0)
        #expect(list.output.contains("bomb (filter): A test's"))
        #expect(list.output.contains("mine: a rendering process died 3 times on the same job while it ran the plug-in 'mine'"))
        try workshop.write(#"{"type": "sepia"}"#)
        #expect(try await workshop.spool("frame draft.json --time 3 -o frame.png").status == 0)
    }

    @Test("The output of a plug-in goes to the log and disturbs nothing")
    func printing() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.plugin(
            "chatty", #"memcpy(output, input, count); printf("{\"finished\": 1}\n"); fflush(stdout);"#, in: workshop.plugins)
        try workshop.write(#"{"type": "externalFilter", "name": "chatty"}"#)
        let frame = try await workshop.spool("frame draft.json --time 3 -o frame.png")
        #expect(frame.status == 0)
        #expect(frame.errors.contains("finished"))
    }

    @Test("A single frame is the frame in the film, wherever the film is cut into segments")
    func cuts() async throws {
        let workshop = try await PluginWorkshop()
        _ = try await BuiltPlugins.plugin(
            "clock",
            "for (size_t i = 0; i < count; i++) output[i] = (uint8_t)(time * 25 / 3 + rand() % 9 + values[0].number * 5);",
            in: workshop.plugins)
        let operation = #"{"type": "externalFilter", "name": "clock"}"#
        var pictures: [Data] = []
        for (range, time) in [
            ("", "12.36"), (#", "timeRange": {"start": 12.2, "duration": 9}"#, "0.16"),
            (#", "timeRange": {"start": 3.04, "duration": 20}"#, "9.32"),
        ] {
            try workshop.write(operation, range)
            let name = "frame\(pictures.count).png"
            #expect(try await workshop.spool("frame draft.json --time \(time) -o \(name)").status == 0)
            pictures.append(try Data(contentsOf: URL(fileURLWithPath: workshop.directory.file(name))))
        }
        #expect(pictures[1] == pictures[0])
        #expect(pictures[2] == pictures[0])
        try workshop.write(operation)
        _ = try await workshop.spool("frame draft.json --time 12.4 -o next.png")
        #expect(try Data(contentsOf: URL(fileURLWithPath: workshop.directory.file("next.png"))) != pictures[0])
    }

    @Test("A replaced plug-in is noticed at once: its segments have other keys, and the new one draws")
    func replaced() async throws {
        let workshop = try await PluginWorkshop()
        try workshop.write(#"{"type": "externalFilter", "name": "paint"}"#)
        var keys: [Set<String>] = []
        var colors: [[UInt8]] = []
        for value in [60, 60, 200] {
            _ = try await BuiltPlugins.plugin(
                "paint", "for (size_t i = 0; i < count; i++) output[i] = i % 4 == 3 ? 255 : \(value);", in: workshop.plugins)
            let plan = try await workshop.spool("plan draft.json --json")
            keys.append(Set(plan.output.matches(of: /"key" *: *"([0-9a-f]{64})"/).map { String($0.1) }))
            #expect(try await workshop.spool("frame draft.json --time 1 -o frame.png").status == 0)
            colors.append(try await workshop.color(of: "frame.png"))
        }
        #expect(keys[0].count > 1)
        #expect(keys[1] == keys[0])
        #expect(!keys[2].subtracting(keys[0]).isEmpty)
        #expect(colors[1] == colors[0])
        #expect(colors[0].allSatisfy { abs(Int($0) - 60) <= 1 } && colors[2].allSatisfy { abs(Int($0) - 200) <= 1 })
    }
}
