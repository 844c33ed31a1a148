import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The exit code of `spool doctor` says whether the requested work can be done on this machine.
@Suite struct DoctorTests {
    /// Runs commands while some of the system's files are hidden.
    /// - Returns: nil when this user may not hide files.
    private func hiding(_ commands: [String], _ line: String) async throws -> SpoolTool.Outcome? {
        guard geteuid() == 0, try await ShellTool.run("unshare -m true").status == 0 else { return nil }
        return try await ShellTool.run("unshare -m bash -c \"\((commands + [line]).joined(separator: " && "))\"")
    }

    private static let withoutPostgres = "mount -t tmpfs tmpfs /usr/lib/postgresql"
    private static let withoutRedis = "mount --bind /dev/null /usr/bin/redis-server"

    @Test("Doctor ends with 0 when everything is installed, also for a farm", arguments: ["", "--farm"])
    func healthy(_ option: String) async throws {
        let outcome = try await ShellTool.run("'\(SpoolTool.executable)' doctor \(option)")
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("ok    PostgreSQL: '/usr/lib/postgresql/"), "\(outcome.output)")
        #expect(outcome.output.contains("ok    Redis: '/usr/bin/redis-server'"), "\(outcome.output)")
    }

    @Test(
        "Without a server's program doctor ends with 0 for exports, and with 69 and the remedy for a farm",
        arguments: [
            ("PostgreSQL", withoutPostgres, "apt-get install postgresql-15"),
            ("Redis", withoutRedis, "apt-get install redis-server"),
        ])
    func missing(_ name: String, _ hide: String, _ remedy: String) async throws {
        guard let laptop = try await hiding([hide], "'\(SpoolTool.executable)' doctor"),
            let farm = try await hiding([hide], "'\(SpoolTool.executable)' doctor --farm")
        else { return print("not tested: only root can hide the system's files") }
        #expect(laptop.status == 0, "\(laptop.output) \(laptop.errors)")
        #expect(laptop.output.contains("none  \(name): \(name) is not installed, so 'spool up' cannot run a farm here"))
        #expect(farm.status == 69, "\(farm.output) \(farm.errors)")
        #expect(farm.output.contains("BAD   \(name): \(name) is not installed, so 'spool up' cannot run a farm here"))
        for outcome in [laptop, farm] { #expect(outcome.output.contains("-> install it with: \(remedy)"), "\(outcome.output)") }
    }

    @Test("Doctor ends with 69 when a requirement of exports is missing", arguments: ["", "--farm"])
    func withoutFonts(_ option: String) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run("SPOOL_FONT_PATH='\(directory.path)' '\(SpoolTool.executable)' doctor \(option)")
        #expect(outcome.status == 69, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "-> install some: apt-get install fonts-dejavu-core, or name their directory in SPOOL_FONT_PATH"),
            "\(outcome.output)")
    }

    @Test("Doctor names what to do where the servers that the environment names do not answer")
    func servers() async throws {
        let outcome = try await ShellTool.run(
            "SPOOL_DATABASE_URL=postgresql://127.0.0.1:1/spool SPOOL_REDIS_URL=redis://127.0.0.1:1 "
                + "SPOOL_SERVER=http://127.0.0.1:1 SPOOL_TOKEN=t '\(SpoolTool.executable)' doctor")
        #expect(outcome.status == 69, "\(outcome.output)")
        for remedy in [
            "start PostgreSQL, or correct SPOOL_DATABASE_URL", "start Redis, or correct SPOOL_REDIS_URL",
            "correct SPOOL_SERVER and SPOOL_TOKEN, or start it",
        ] {
            #expect(outcome.output.contains("-> \(remedy)"), "\(outcome.output)")
        }
    }

    /// Runs doctor with a script in the place of one command of the renderer.
    /// - Parameters:
    ///   - command: the command of the renderer.
    ///   - script: what answers it; `$render` is the renderer.
    private func doctor(where command: String, is script: String) async throws -> SpoolTool.Outcome {
        let directory = try TemporaryDirectory()
        let program = directory.file("program")
        let text = """
            #!/bin/bash
            render='\(SpoolTool.executable)-render'
            [ "$1" = \(command) ] || exec "$render" "$@"
            \(script)
            """
        _ = FileManager.default.createFile(
            atPath: program, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
        return try await ShellTool.run("SPOOL_RENDER_EXECUTABLE='\(program)' '\(SpoolTool.executable)' doctor")
    }

    @Test("Codecs that FFmpeg lacks are named with the packages that have them")
    func withoutCodecs() async throws {
        let outcome = try await doctor(
            where: "codecs", is: #""$render" codecs | sed 's/"isInstalled":true/"isInstalled":false/g'"#)
        #expect(outcome.status == 69, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("BAD   encoder libx264: is not in this FFmpeg\n"), "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "\n      -> install a full FFmpeg: apt-get install libavcodec-dev libavcodec-extra\n"), "\(outcome.output)")
        #expect(
            outcome.output.contains("\n      -> install a full FFmpeg: apt-get install libavcodec-extra\n"), "\(outcome.output)")
    }

    @Test("A layer that the sandbox lacks is named with the reason and the page that explains it")
    func withoutLayer() async throws {
        let outcome = try await doctor(
            where: "sandbox", is: #"echo '{"missing":{"network":"Operation not permitted"}}'"#)
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("network (Operation not permitted)"), "\(outcome.output)")
        #expect(outcome.output.contains("\n      -> docs/security.md says what each layer needs\n"), "\(outcome.output)")
    }

    @Test("A Redis that discards keys is named with the command that keeps them")
    func discardingRedis() async throws {
        let server = try await RedisServer.start()
        _ = try await server.ask(["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"])
        let doctor = "SPOOL_REDIS_URL=\(server.url) '\(SpoolTool.executable)' doctor"
        let outcome = try await ShellTool.run(doctor)
        #expect(outcome.status == 69, "\(outcome.output)")
        let remedy = "redis-cli CONFIG SET maxmemory-policy noeviction"
        #expect(
            outcome.output.contains(" which would lose jobs on their way\n      -> set it with: \(remedy)\n"), "\(outcome.output)"
        )
        _ = try await server.ask(remedy.split(separator: " ").dropFirst().map(String.init))
        #expect(try await ShellTool.run(doctor).status == 0)
    }

    @Test("A cache that cannot be written, and one without room, are named with what to do")
    func cache() async throws {
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: directory.file("file")))
        let closed = try await ShellTool.run("'\(SpoolTool.executable)' doctor --cache '\(directory.file("file/cache"))'")
        #expect(closed.status == 69, "\(closed.output)")
        #expect(
            closed.output.contains(
                "BAD   cache: '\(directory.file("file/cache"))' cannot be written\n      -> make it writable, or name another "
                    + "directory with --cache\n"), "\(closed.output)")
        let full = try await hiding(
            ["mount -t tmpfs -o size=16m tmpfs '\(directory.path)'"],
            "'\(SpoolTool.executable)' doctor --cache '\(directory.file("cache"))'")
        guard let full else { return print("not tested: only root can mount a small disk") }
        #expect(full.status == 69, "\(full.output) \(full.errors)")
        #expect(
            full.output.contains("\n      -> free some space, or name a directory on another disk with --cache\n"),
            "\(full.output)")
    }

    @Test("More processes than there is memory for are named with how many there may be")
    func memory() async throws {
        let outcome = try await ShellTool.run("'\(SpoolTool.executable)' doctor --jobs 256")
        let total = try #require(outcome.output.firstMatch(of: #/memory: ([0-9]+) MB for 256 processes/#)?.output.1)
        let megabytes = try #require(Int(total))
        guard megabytes <= 256 * 400 else { return print("not tested: this machine has memory for 256 processes") }
        #expect(outcome.status == 69, "\(outcome.output)")
        #expect(outcome.output.contains("\n      -> use fewer processes: --jobs \(megabytes / 500)\n"), "\(outcome.output)")
    }
}
