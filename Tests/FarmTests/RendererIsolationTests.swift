import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a process that decodes strangers' files can do to the machine that it runs on.
@Suite(.serialized) struct RendererIsolationTests {
    private static var renderer: String { SpoolTool.executable + "-render" }

    @Test("a limited renderer of root's is somebody else, without capabilities, new privileges or forbidden calls")
    func root() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can become another user") }
        let status = try await status(ofRenderer: ["--limited", "--user", "65534:65534"])
        #expect(status["Uid"] == "65534 65534 65534 65534")
        #expect(status["Gid"] == "65534 65534 65534 65534")
        #expect(status["Groups"] == "65534")
        for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] { #expect(status[name] == "0000000000000000", "\(name)") }
        #expect(status["NoNewPrivs"] == "1")
        #expect(status["Seccomp"] == "2")
    }

    @Test("a limited renderer that stays root has no capabilities all the same")
    func powerlessRoot() async throws {
        guard geteuid() == 0 else { return print("not tested: this user is not root") }
        let status = try await status(ofRenderer: ["--limited"])
        #expect(status["Uid"] == "0 0 0 0")
        for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] { #expect(status[name] == "0000000000000000", "\(name)") }
        #expect(status["NoNewPrivs"] == "1")
        #expect(status["Seccomp"] == "2")
    }

    @Test("a renderer of one's own drafts is oneself, and gets no new privileges")
    func own() async throws {
        let status = try await status(ofRenderer: [])
        #expect(status["Uid"] == Array(repeating: "\(getuid())", count: 4).joined(separator: " "))
        #expect(status["NoNewPrivs"] == "1")
    }

    @Test("a renderer is nobody's who is root")
    func notRoot() async throws {
        for user in ["0:0", "nobody", "5", "5:", "-1:5"] {
            let outcome = try await ShellTool.run("'\(Self.renderer)' serve --limited --user='\(user)' < /dev/null")
            #expect(outcome.status == 64, "\(user): \(outcome.errors)")
        }
    }

    @Test(
        "a worker's environment is nothing that other processes can read, those of its own user included", .timeLimit(.minutes(2))
    )
    func environment() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can start a worker of another user") }
        let directory = try TemporaryDirectory()
        let redis = try await RedisServer.start(["--requirepass", "wholly-secret"])
        let worker = """
            cd '\(directory.path)' && mkdir store && touch store/.spool-store && chown -R 65534 . || exit 1
            export SPOOL_REDIS_URL='redis://:wholly-secret@127.0.0.1:\(redis.port)' SPOOL_STORE="$PWD/store"
            nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --)
            exec 3< <("${nobody[@]}" '\(SpoolTool.executable)' worker 2>&1 & echo $!; wait)
            read -r worker <&3
            # It says that it works.
            read -r line <&3
            echo "$line"
            "${nobody[@]}" cat /proc/$worker/environ && echo "the environment was read"
            tr '\\0' '\\n' < /proc/$worker/environ | grep -c wholly-secret
            kill -TERM $worker
            cat <&3 > /dev/null
            """
        let outcome = try await ShellTool.run(worker)
        #expect(outcome.output.contains("working"), "\(outcome.output) \(outcome.errors)")
        #expect(outcome.errors.contains("Permission denied"), "\(outcome.errors)")
        #expect(!outcome.output.contains("the environment was read"))
        // Root sees it: it was there.
        #expect(outcome.output.split(separator: "\n").last == "1", "\(outcome.output)")
    }

    /// What the kernel says of a renderer that has answered an order.
    private func status(ofRenderer arguments: [String]) async throws -> [String: String] {
        let words = arguments.joined(separator: " ")
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { exec '\(Self.renderer)' serve \(words); }
            process=$RENDERER_PID
            echo '{}' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            cat /proc/$process/status
            """)
        try #require(outcome.status == 0, "\(outcome.errors)")
        var status: [String: String] = [:]
        for line in outcome.output.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            status[String(parts[0])] = parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return status
    }
}
