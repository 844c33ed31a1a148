import Coordinator
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// Recordings on a farm whose clips cannot be taken in or uploaded.
@Suite("Recordings of a farm on the command line")
struct RecordingCommandTests {
    /// Begins a recording and returns its id.
    private func begin(_ farm: LiveFarm, _ options: String = "") async throws -> String {
        let words = ["record", "new", "--farm", "--server", farm.address, "--token", LiveFarm.token]
        let outcome = try await SpoolTool.run(words + options.split(separator: " ").map(String.init))
        try #require(outcome.status == 0, "\(outcome.errors)")
        return String(outcome.output.prefix { !$0.isNewline })
    }

    /// Runs a command of a recording without standard input. What is captured lies in the folder `state`.
    private func record(
        _ farm: LiveFarm, _ words: String, state: String? = nil, token: String = LiveFarm.token
    ) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "XDG_STATE_HOME='\(state ?? farm.directory.file("state"))' '\(SpoolTool.executable)' record \(words) "
                + "--server \(farm.address) --token \(token) < /dev/null")
    }

    /// Leaves behind what a client that was killed does.
    /// - Parameter media: what it has captured; nil for nothing.
    private func leave(_ media: String?, of id: String, _ farm: LiveFarm, speed: Int = 1) throws -> String {
        let folder = farm.directory.file("state/spool-captures/\(id)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(#"{"clip": {"speed": \#(speed), "volume": 1}, "last": 0}"#.utf8)
            .write(to: URL(fileURLWithPath: folder + "/1.json"))
        if let media { try Data(media.utf8).write(to: URL(fileURLWithPath: folder + "/1.media")) }
        return folder + "/1.media"
    }

    @Test("A place where nothing can be captured is named with what to do")
    func closedState() async throws {
        try await LiveFarm.serve { farm in
            let id = try await begin(farm)
            let outcome = try await record(farm, "append \(id) -", state: "/dev/null")
            #expect(outcome.status == 73)
            #expect(
                outcome.errors.hasPrefix("error: '/dev/null/spool-captures/\(id)' cannot be written: "), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("; name another directory in XDG_STATE_HOME\n"), "\(outcome.errors)")
        }
    }

    @Test("A recording that has reached its maximum takes in nothing, and the message says what to do")
    func full() async throws {
        try await LiveFarm.serve { farm in
            let draft = farm.directory.file("draft.json")
            try Data(
                #"{"version": 1, "videoSize": {"width": 64, "height": 64}, "mainTrackClips": [{"type": "color", "duration": 2}]}"#
                    .utf8
            )
            .write(to: URL(fileURLWithPath: draft))
            let id = try await begin(farm, "--from \(draft) --set maxDuration=2 --cache \(farm.directory.file("cache"))")
            let outcome = try await record(farm, "append \(id) -")
            #expect(outcome.status == 65)
            #expect(outcome.errors == "error: the recording is full; finish it, or discard a clip\n", "\(outcome.errors)")
        }
    }

    @Test("A clip of which nothing came in before its client was killed is said to be lost")
    func nothingCame() async throws {
        try await LiveFarm.serve { farm in
            let id = try await begin(farm)
            _ = try leave(nil, of: id, farm)
            let outcome = try await record(farm, "set \(id) mute=true")
            #expect(outcome.status == 0)
            #expect(outcome.errors == "a clip that was interrupted is lost: nothing of it came in\n", "\(outcome.errors)")
        }
    }

    @Test("A clip that the farm does not take now is kept, and the message says when it is uploaded")
    func kept() async throws {
        try await LiveFarm.serve { farm in
            let id = try await begin(farm)
            let media = try leave("media", of: id, farm)
            _ = try await farm.store.createToken("r", tenant: "one", scopes: [.read], hash: TokenSecret.hash("reader"))
            let outcome = try await record(farm, "set \(id) mute=true", token: "reader")
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.hasPrefix(
                    "what was captured is kept on this machine, and the next command that changes the recording uploads it\nerror: "
                ),
                "\(outcome.errors)")
            #expect(try String(contentsOfFile: media, encoding: .utf8) == "media")
        }
    }

    @Test("A clip that the farm refuses is kept, and the message names the reason and the file")
    func refused() async throws {
        try await LiveFarm.serve { farm in
            let id = try await begin(farm)
            let media = try leave("media", of: id, farm, speed: 100)
            let outcome = try await record(farm, "set \(id) mute=true")
            #expect(outcome.status == 0)
            #expect(outcome.errors.hasPrefix("error: the farm refuses the clip: "), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("; what was captured is kept in '\(media)'\n"), "\(outcome.errors)")
            #expect(try String(contentsOfFile: media, encoding: .utf8) == "media")
        }
    }
}
