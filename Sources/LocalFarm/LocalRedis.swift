import FoundationEssentials

/// A private Redis server on a free port of this machine. It keeps nothing on disk, because the farm can lose its
/// contents.
package struct LocalRedis: Sendable {
    private let directory: String
    private let user: UnprivilegedUser?
    private let guardian: String
    private let program: String
    private let port: Int
    private let password: String

    /// - Parameter guardian: the path of `spool`, which guards the server.
    /// - Throws: `LocalServerError` when Redis is not installed or the directory cannot be written.
    package init(directory: String, user: UnprivilegedUser?, guardian: String) throws {
        self.directory = directory
        self.user = user
        self.guardian = guardian
        port = try freePort()
        program = try LocalRedis.findProgram()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try user?.own(directory)
        password = try secret(at: directory + "/password", user)
        // The password is in a file because everybody can read a program's arguments.
        let settings = """
            bind 127.0.0.1
            port \(port)
            dir \(directory.asRedisWord)
            requirepass \(password)
            save ""
            appendonly no
            maxmemory-policy noeviction

            """
        guard
            FileManager.default.createFile(
                atPath: directory + "/redis.conf", contents: Data(settings.utf8), attributes: [.posixPermissions: 0o600])
        else { throw LocalServerError("'\(directory)/redis.conf' cannot be written; choose another --directory") }
        try user?.own(directory + "/redis.conf")
    }

    /// - Returns: the path of `redis-server`.
    /// - Throws: `LocalServerError` that says how to install it.
    package static func findProgram() throws -> String {
        let places = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
        guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw LocalServerError("Redis is not installed; install it with: apt-get install redis-server")
        }
        return found
    }

    /// The URL for clients.
    package var url: String { "redis://:\(password)@127.0.0.1:\(port)" }

    /// The server's process, which ends with this program.
    package var process: GuardedProcess {
        GuardedProcess(program, [directory + "/redis.conf"], guardian: guardian, user: user, logFile: directory + "/log")
    }
}

extension String {
    /// The text as one word of Redis' configuration file.
    fileprivate var asRedisWord: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }
}
