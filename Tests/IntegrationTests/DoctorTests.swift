import TestSupport
import Testing
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
}
