import FarmAPI
import Coordinator
import TestSupport
import Testing
import FoundationEssentials

/// A worker and `spool up` that get two signals: they end, and so do their rendering processes in any state.
@Suite(.serialized) struct HardStopTests {
    /// How a rendering process behaves when it is to stop.
    enum Renderer: CaseIterable, Sendable {
        /// It works normally.
        case works
        /// It ignores signals and the end of its input, and so does a process that it has started.
        case ignoresSignals
        /// It was stopped with SIGSTOP, so it cannot react.
        case isStopped
    }

    @Test(
        "A worker ends at its second SIGTERM and leaves no rendering process behind", .timeLimit(.minutes(3)),
        arguments: TestForm.part(1, of: Renderer.allCases))
    func worker(_ renderer: Renderer) async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 0) { farm in
            // The grace period is longer than the test may take, so only the second signal can end the worker in time.
            await farm.startWorker("w1", grace: 3600, environment: try renderer.environment(in: farm.directory))
            _ = try await farm.submit([drafts.file(0)], ["--set", "encoderSpeed=placebo"])
            try await farm.eventually {
                try await renderer == .ignoresSignals ? farm.runsJob() : farm.rendersSegment()
            }
            let worker = try await farm.process("w1")
            let children = try await Self.untilThere(below: worker, renderer)
            if renderer == .isStopped { try await Self.signal("STOP", children) }
            try await Self.signal("TERM", [worker])
            let log = farm.directory.file("w1.log")
            _ = try await ShellTool.run("grep -q -m 1 draining <(tail -n +1 -F --pid \(worker) '\(log)' 2> /dev/null)")
            #expect(try await Self.alive(children) == children, "the first signal ends nothing within the grace")
            try await Self.signal("TERM", [worker])
            #expect(await farm.untilEnded("w1") == 143)
            try await farm.untilGone(children)
            #expect(try await Self.alive(children) == [])
        }
    }

    @Test(
        "'spool up' ends at its second SIGTERM and leaves no process behind", .timeLimit(.minutes(5)),
        arguments: TestForm.part(1, of: Renderer.allCases))
    func up(_ renderer: Renderer) async throws {
        let drafts = try await SampleDrafts()
        let directory = try TemporaryDirectory()
        _ = try await ShellTool.run("chmod 755 '\(directory.path)'")
        let environment = try renderer.environment(in: directory).map { "\($0)='\($1)'" }.joined(separator: " ")
        let name = renderer == .ignoresSignals ? "stubborn" : "spool-render"
        let outcome = try await ShellTool.run(
            """
            home='\(directory.file("farm"))' log='\(directory.file("up.log"))'
            descendants() { local child; for child in $(pgrep -P $1); do echo $child; descendants $child; done; }
            renderers() { local each; for each in $(descendants $up); do
              grep -q '^\(name)' /proc/$each/comm 2> /dev/null && echo $each; done; }
            touch "$log"
            env \(environment) '\(SpoolTool.executable)' up --directory "$home" --port \(try RedisServer.freePort()) --slots 1 >> "$log" 2>&1 &
            up=$!
            grep -q -m 1 'the farm is up' <(tail -n +1 -F --pid $up "$log" 2> /dev/null) || { cat "$log"; exit 90; }
            set -a; . "$home/client.env"; set +a
            '\(SpoolTool.executable)' submit '\(drafts.file(0))' --set encoderSpeed=placebo || exit 91
            until [ -n "$(renderers)" ]; do kill -0 $up || exit 92; read -t 0.05 < <(:) || true; done
            \(renderer == .isStopped ? "kill -STOP $(renderers)" : ":")
            all=$(descendants $up)
            kill -TERM $up
            grep -q -m 1 draining <(tail -n +1 -F --pid $up "$home/log/worker-1.log" 2> /dev/null) || exit 93
            kill -TERM $up
            wait $up; echo "status $?"
            for each in $all; do timeout 60 tail --pid $each -s 0.05 -f /dev/null || echo "left: $(tr '\\0' ' ' < /proc/$each/cmdline)"; done
            """)
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("status 143\n"), "\(outcome.output)")
        #expect(!outcome.output.contains("left:"), "\(outcome.output)")
    }

    // MARK: -

    /// Waits until a worker has rendering processes.
    /// - Returns: the process ids of these processes and of what they have started.
    private static func untilThere(below worker: Int, _ renderer: Renderer) async throws -> [Int] {
        let count = renderer == .ignoresSignals ? 2 : 1
        let outcome = try await ShellTool.run(
            """
            descendants() { local child; for child in $(pgrep -P $1); do echo $child; descendants $child; done; }
            until [ $(descendants \(worker) | wc -l) -ge \(count) ]; do kill -0 \(worker) || exit 1; read -t 0.05 < <(:) || true; done
            descendants \(worker)
            """)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").compactMap { Int($0) }
    }

    private static func signal(_ name: String, _ processes: [Int]) async throws {
        let outcome = try await ShellTool.run("kill -\(name) \(processes.map(String.init).joined(separator: " "))")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private static func alive(_ processes: [Int]) async throws -> [Int] {
        let list = processes.map(String.init).joined(separator: " ")
        let outcome = try await ShellTool.run("for each in \(list); do kill -0 $each 2> /dev/null && echo $each; done; true")
        return outcome.output.split(separator: "\n").compactMap { Int($0) }
    }
}

extension HardStopTests.Renderer {
    /// The worker's environment that gives it such rendering processes.
    fileprivate func environment(in directory: TemporaryDirectory) throws -> [String: String] {
        guard self == .ignoresSignals else { return [:] }
        let program = directory.file("stubborn")
        let script = """
            #!/bin/bash
            # Only what is to render is stubborn.
            [ "$1" = serve ] || exit 1
            trap '' TERM INT HUP PIPE
            ( while :; do sleep 1000 < /dev/null > /dev/null 2>&1; done ) < /dev/null > /dev/null 2>&1 &
            while :; do sleep 1000; done
            """
        guard
            FileManager.default.createFile(
                atPath: program, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        else { throw CocoaError(.fileWriteUnknown) }
        return ["SPOOL_RENDER_EXECUTABLE": program]
    }
}

extension TestFarm {
    /// Whether a worker has any job now.
    fileprivate nonisolated func runsJob() async throws -> Bool {
        try await !store.jobs(.init(state: .running, limit: 1000)).isEmpty
    }
}
