import Subprocess
import SystemPackage
import FoundationEssentials

/// A private PostgreSQL server. Its data are in a directory, it listens on a free port of this machine, and only the
/// directory's owner can read its password.
package struct LocalPostgres: Sendable {
    private let directory: String
    private let user: UnprivilegedUser?
    private let guardian: String
    private let programs: String
    private let port: Int
    private let password: String

    /// Creates the data directory when there is none.
    /// - Parameters:
    ///   - directory: the directory in which `data` and `password` are created.
    ///   - guardian: the path of `spool`, which guards the server.
    /// - Throws: `LocalServerError` with what initdb said.
    package init(directory: String, user: UnprivilegedUser?, guardian: String) async throws {
        self.directory = directory
        self.user = user
        self.guardian = guardian
        programs = try LocalPostgres.findPrograms()
        port = try freePort()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try user?.own(directory)
        password = try secret(at: directory + "/password", user)
        guard !FileManager.default.fileExists(atPath: directory + "/data/PG_VERSION") else { return }
        let initdb = CommandLine(
            programs + "/initdb",
            [
                "--pgdata", directory + "/data", "--username", "spool", "--pwfile", directory + "/password", "--auth",
                "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8",
            ], as: user)
        let made = try await Subprocess.run(
            initdb.executable, arguments: initdb.arguments, workingDirectory: "/", output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        guard made.terminationStatus.isSuccess else {
            throw LocalServerError("initdb failed: \(made.standardError)")
        }
    }

    /// The URL for clients.
    package var url: String { "postgresql://spool:\(password)@127.0.0.1:\(port)/postgres" }

    /// The server's process, which ends with this program.
    package var process: GuardedProcess {
        GuardedProcess(
            programs + "/postgres",
            [
                "-D", directory + "/data", "-c", "listen_addresses=127.0.0.1", "-c", "port=\(port)", "-c",
                "unix_socket_directories=",
            ],
            // INT is PostgreSQL's fast shutdown; TERM would wait for its clients.
            guardian: guardian, user: user, stopSignal: "INT", logFile: directory + "/log")
    }

    /// Finds the server's programs. Debian installs them outside of the search path, in a directory for each version.
    /// - Returns: the directory of `initdb` and `postgres`.
    /// - Throws: `LocalServerError` that says how to install them.
    package static func findPrograms() throws -> String {
        let base = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []  // not Debian, or not installed
        let places =
            versions.compactMap(Int.init).sorted(by: >).map { "\(base)/\($0)/bin" } + ["/usr/local/pgsql/bin", "/usr/bin"]
        guard
            let found = places.first(where: {
                FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
                    && FileManager.default.isExecutableFile(atPath: $0 + "/postgres")
            })
        else {
            throw LocalServerError("PostgreSQL is not installed; install it with: apt-get install postgresql-15")
        }
        return found
    }
}

/// The password in a file that only its owner can read; it is generated on the first call.
func secret(at path: String, _ owner: UnprivilegedUser?) throws -> String {
    if let kept = FileManager.default.contents(atPath: path).map({ String(decoding: $0, as: UTF8.self) }), !kept.isEmpty {
        return kept
    }
    let made = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    guard
        FileManager.default.createFile(atPath: path, contents: Data(made.utf8), attributes: [.posixPermissions: 0o600])
    else { throw LocalServerError("'\(path)' cannot be written; choose another --directory") }
    try owner?.own(path)
    return made
}
