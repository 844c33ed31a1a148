import LocalFarm
import TestSupport
import Testing
import FoundationEssentials

@Suite("A server of this machine", .timeLimit(.minutes(1)))
struct LocalServerTests {
    @Test(
        "Redis starts in a directory whose name has spaces, quotes and backslashes",
        arguments: ["a b", "a \"b\"", "a\\nb", "it's"])
    func directory(_ name: String) async throws {
        let folder = try TemporaryDirectory()
        _ = try LocalRedis(directory: folder.file(name), user: nil, guardian: "")
        // The server logs this line, or ends and says why; tail ends with it.
        let outcome = try await ShellTool.run(
            """
            cd '\(folder.path)' || exit 1
            redis-server */redis.conf > log 2>&1 &
            server=$!
            tail -n +1 -F --pid=$server log 2> /dev/null | grep -q -m 1 'Ready to accept connections'
            ready=$?
            kill $server
            wait $server
            cat log
            exit $ready
            """)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test(
        "Redis is refused a directory in which its settings or its password cannot be written",
        arguments: [
            ("redis.conf", "/redis.conf' cannot be written; choose another --directory"),
            ("password", "/password' cannot be written; choose another --directory"),
        ])
    func unwritable(_ name: String, _ words: String) throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        let error = #expect(throws: LocalServerError.self) {
            _ = try LocalRedis(directory: folder.path, user: nil, guardian: "")
        }
        #expect(error?.description == "'\(folder.path)\(words)")
    }

    @Test("PostgreSQL is refused a directory with the files of others, in the words of its own program")
    func foreignFiles() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: false)
        try Data("a file".utf8).write(to: URL(fileURLWithPath: folder.file("data/file")))
        let user = try UnprivilegedUser.forServers()
        let error = await #expect(throws: LocalServerError.self) {
            _ = try await LocalPostgres(directory: folder.path, user: user, guardian: "")
        }
        #expect(error?.description.hasPrefix("initdb failed: initdb: error: ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\(folder.file("data"))\" exists but is not empty") == true)
    }

    @Test(
        "A path is one word of a shell command, and stays as it is where it can",
        arguments: ["/a/b-1.c", "a b", "it's", "$HOME", "", "a;b", "ü"])
    func words(_ text: String) async throws {
        let outcome = try await ShellTool.run("printf %s \(ShellWord.quoted(text))")
        #expect(outcome.output == text)
        #expect((ShellWord.quoted(text) == text) == (text == "/a/b-1.c"))
    }
}
