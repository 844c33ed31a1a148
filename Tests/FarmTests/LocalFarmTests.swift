import ContentHashing
import LocalFarm
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// `spool up`, as a user runs it.
@Suite struct LocalFarmTests {
    @Test("'spool up' runs a farm, leaves no process behind, and finds its data again", .timeLimit(.minutes(5)))
    func upAndDown() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        let farm = try LocalFarm()
        let id = try await farm.whileUp { farm in
            let submitted = try await farm.spool("submit '\(drafts.file(0))' --wait")
            #expect(submitted.status == 0, "\(submitted.errors)")
            return String(submitted.output.prefix { !$0.isNewline })
        }
        #expect(try await farm.processes() == "")
        let film = farm.directory.file("film.mp4")
        try await farm.whileUp { farm in
            #expect(try await farm.spool("status \(id)").output.contains("completed"))
            #expect(try await farm.spool("download \(id) -o '\(film)'").status == 0)
            let doctor = try await farm.spool("doctor")
            #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
        }
        #expect(try await farm.processes() == "")
        #expect(try ContentHash.ofFile(film).hash == local)
    }

    @Test(
        "Rendering processes of a 'spool up' that root started are another user's, without rights and secrets",
        .timeLimit(.minutes(5)))
    func renderers() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can become another user") }
        let drafts = try await SampleDrafts()
        let farm = try LocalFarm()
        try await farm.whileUp { farm in
            let submitted = try await farm.spool("submit '\(drafts.file(0))' --wait")
            #expect(submitted.status == 0, "\(submitted.errors)")
            // The processes that rendered wait for the next job. The brackets keep this shell's own command line from
            // matching.
            let outcome = try await ShellTool.run(
                """
                password=$(cat '\(farm.home)/redis/password')
                for guard in $(pgrep -f '[g]uard .*\(farm.home)/log/worker-'); do
                    worker=$(pgrep -P $guard)
                    for renderer in $(pgrep -P $worker); do
                        # The started process waits outside the namespace of the one that renders.
                        while inner=$(pgrep -P $renderer); do renderer=$inner; done
                        echo "renderer"
                        awk '{ $1 = $1; print }' /proc/$renderer/status
                        tr '\\0' '\\n' < /proc/$renderer/environ | grep -e '^SPOOL_' -e "$password" |
                            sed 's/^/secret /'
                        grep -qa "$password" /proc/$worker/environ && echo "the worker has the password"
                        user=$(awk '/^Uid:/ { print $2 }' /proc/$renderer/status)
                        setpriv --reuid $user --regid $user --clear-groups cat /proc/$worker/environ > /dev/null &&
                            echo "the renderer's user can read it"
                    done
                done
                """)
            let lines = outcome.output.split(separator: "\n").map(String.init)
            let count = lines.count { $0 == "renderer" }
            #expect(count > 0, "\(outcome.output) \(outcome.errors)")
            for name in ["Uid", "Gid"] {
                let values = lines.filter { $0.hasPrefix("\(name): ") }
                #expect(values.count == count && values.allSatisfy { !$0.split(separator: " ").contains("0") }, "\(values)")
            }
            let withoutRights =
                ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map { "\($0): 0000000000000000" }
                + ["NoNewPrivs: 1", "Seccomp: 2"]
            for line in withoutRights {
                let name = line.prefix { $0 != ":" } + ":"
                #expect(lines.count { $0 == line } == count, "\(lines.filter { $0.hasPrefix(name) })")
            }
            #expect(lines.filter { $0.hasPrefix("secret ") } == [])
            #expect(lines.count { $0 == "the worker has the password" } == count)
            #expect(!lines.contains("the renderer's user can read it"))
        }
    }

    @Test("A draft that names a pipe by its path fails at once, and the workers go on", .timeLimit(.minutes(2)))
    func pipe() async throws {
        let media = try TemporaryDirectory()
        _ = try await ShellTool.run("mkfifo '\(media.file("pipe.mp4"))'")
        let farm = try LocalFarm(allow: media.path)
        try await farm.whileUp { farm in
            let document = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(media.file("pipe.mp4"))"}]}"#
            let script = """
                import json, sys, urllib.request
                words = dict(line.strip().split("=", 1) for line in open(sys.argv[1]))
                request = urllib.request.Request(
                    words["SPOOL_SERVER"] + "/v1/exports", json.dumps({"document": json.loads(sys.argv[2])}).encode(),
                    {"Authorization": "Bearer " + words["SPOOL_TOKEN"], "Content-Type": "application/json"})
                print(json.load(urllib.request.urlopen(request))["id"], end="")
                """
            let id = try await PythonTool.run(script, [farm.home + "/client.env", document])
            let watched = try await farm.spool("watch \(id)")
            #expect(watched.status == 65)
            #expect(watched.errors.contains("mainTrackClips[0].url: "), "\(watched.errors)")
            #expect(watched.errors.contains("is a FIFO, not a file"), "\(watched.errors)")
            #expect(try await farm.spool("job ls --state running").output.split(separator: "\n").count == 1)
        }
    }

    @Test("'spool up' on a taken port stops at once and says so", .timeLimit(.minutes(1)))
    func takenPort() async throws {
        let farm = try LocalFarm()
        let script = """
            import socket, subprocess, sys
            taken = socket.create_server(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            words = [sys.argv[1], "up", "--directory", sys.argv[2], "--port", str(port)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=50)
            print(done.returncode, done.stderr.replace(str(port), "PORT"), end="")
            """
        let said = try await PythonTool.run(script, [SpoolTool.executable, farm.home])
        #expect(said == "69 error: port PORT is taken by another program; choose another one with --port\n")
        #expect(try await farm.processes() == "")
    }

    @Test("A second 'spool up' in the same directory stops at once and leaves the first alone", .timeLimit(.minutes(2)))
    func takenDirectory() async throws {
        let farm = try LocalFarm()
        try await farm.whileUp { farm in
            let second = try await SpoolTool.run([
                "up", "--directory", farm.home, "--port", "\(try RedisServer.freePort())",
            ])
            #expect(second.status == 69)
            #expect(
                second.errors
                    == "error: another 'spool up' runs in '\(farm.home)'; stop it, or choose another place with --directory\n")
            #expect(try await farm.spool("queue ls").status == 0)
        }
    }

    @Test("'spool up' stops at once with the message of a process that refuses its settings", .timeLimit(.minutes(2)))
    func faultySettings() async throws {
        let farm = try LocalFarm()
        let port = try RedisServer.freePort()
        let outcome = try await ShellTool.run(
            "SPOOL_GRACE=soon SPOOL_PIZZA=1 SPOOL_MEMORY=none timeout 100 '\(SpoolTool.executable)' up --directory '\(farm.home)' "
                + "--port \(port)")
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("warning: SPOOL_PIZZA in the environment is an unknown setting and is ignored"))
        #expect(outcome.errors.contains("worker 1 ended with status 64:\n"), "\(outcome.errors)")
        #expect(outcome.errors.contains("  error: memory has to be 256...1048576, not 'none'\n"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("starting it again"))
        #expect(try await farm.processes() == "")
    }

    @Test(
        "A process is not restarted when a restart cannot help",
        arguments: [
            (Supervisor.Kind.own, 64, 1, true, true), (.own, 64, 1, false, true), (.own, 1, 1, false, true),
            (.own, 70, 1, false, true), (.own, 69, 5, false, false), (.own, 75, 5, false, false), (.own, 137, 1, false, false),
            (.own, 1, 9, true, false), (.own, 0, 1, false, false), (.server, 1, 1, false, false), (.server, 1, 3, false, true),
            (.server, 1, 9, true, false), (.server, 64, 1, true, false),
        ] as [(Supervisor.Kind, Int32, Int, Bool, Bool)])
    func restarted(_ kind: Supervisor.Kind, _ status: Int32, _ ends: Int, _ isUp: Bool, _ isFinal: Bool) {
        #expect(Supervisor.isFinal(kind, status: status, endsInARow: ends, isUp: isUp) == isFinal)
    }
}

/// A `spool up` with its data in a temporary directory.
private struct LocalFarm {
    let directory: TemporaryDirectory
    private let port: Int
    private let allow: String

    /// - Parameter allow: the directories that may contain sources named by path, separated by colons.
    init(allow: String = "") throws {
        directory = try TemporaryDirectory()
        self.allow = allow
        port = try RedisServer.freePort()
    }

    var home: String { directory.file("farm") }

    /// Runs `body` while the farm is up, then stops the farm as Ctrl-C does.
    func whileUp<Result: Sendable>(_ body: (LocalFarm) async throws -> Result) async throws -> Result {
        let log = directory.file("up.log")
        try Data().write(to: URL(fileURLWithPath: log))
        let process = GuardedProcess(
            SpoolTool.executable, ["up", "--directory", home, "--port", "\(port)", "--workers", "2", "--allow", allow],
            guardian: SpoolTool.executable, stopSignal: "INT", logFile: log)
        let running = Task { try await process.run() }  // awaited below
        do {
            _ = try await ShellTool.run("grep -q -m 1 'the farm is up' <(tail -n +1 -F --pid $$ '\(log)' 2> /dev/null)")
            let result = try await body(self)
            running.cancel()
            _ = try await running.value
            return result
        } catch {
            running.cancel()
            _ = try? await running.value  // the first error is reported
            throw error
        }
    }

    /// The `spool` command as a client of this farm.
    func spool(_ words: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run("set -a; . '\(home)/client.env'; set +a; '\(SpoolTool.executable)' \(words)")
    }

    /// The command lines of all running processes of the farm.
    func processes() async throws -> String { try await ShellTool.run("pgrep -a -f '\(home)'").output }
}
