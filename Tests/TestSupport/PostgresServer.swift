import Subprocess
import Synchronization

/// A real PostgreSQL server in a temporary directory, on a free port of 127.0.0.1 and on a Unix socket.
///
/// A shell stops it and removes the directory as soon as the shell's standard input ends, which also happens if the
/// test process is killed. The server refuses to run as root, so under root it runs as the user `postgres`.
package final class PostgresServer: Sendable {
    /// The password of the user `spool`, who has all rights. Only TCP connections need it.
    package static let password = "spool"

    package let port: Int
    /// The directory with the data, the log and the Unix socket.
    package let directory: String
    private let databases = Atomic(0)

    private init(port: Int, directory: String) {
        self.port = port
        self.directory = directory
    }

    /// The server that all tests of this process share. It starts with the first call. Tests must not stop it.
    package static func shared() async throws -> PostgresServer { try await started.value }

    /// An endless task holds the server, so it runs until the process ends.
    private static let started = Task {
        let (servers, found) = AsyncThrowingStream<PostgresServer, any Error>.makeStream()
        Task {
            do {
                try await withServer { server in
                    found.yield(server)
                    for await _ in forever.stream {}
                }
            } catch {
                found.finish(throwing: error)
            }
        }
        for try await server in servers { return server }
        throw Failure(description: "the server of the tests has gone")
    }

    private static let forever = AsyncStream<Never>.makeStream()

    /// The failure of a server that did not start, or of a command that it refused.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a server of the test's own, which the test may kill and restart.
    package static func withServer<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresServer) async throws -> Result
    ) async throws -> Result {
        var options = PlatformOptions()
        // The shell gets time to stop the server even if the test is cancelled; it ignores graceful signals.
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(30))]
        let outcome = try await Subprocess.run(
            .name("bash"), arguments: ["-c", functions + watcher], platformOptions: options, input: .inputWriter,
            output: .sequence, error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings(bufferingPolicy: .unbounded).makeAsyncIterator()
            let words = try await lines.next()?.split { $0.isWhitespace } ?? []
            guard words.count == 3, words[0] == "ready", let port = Int(words[1]) else {
                var log = words.joined(separator: " ")
                while let line = try await lines.next() { log += "\n" + line }
                throw Failure(description: "PostgreSQL does not start: \(log)")
            }
            let server = PostgresServer(port: port, directory: String(words[2]))
            // An error must not leave this closure, because the shell would then be killed before it has stopped the
            // server.
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            try await execution.standardInputWriter.finish()
            return result
        }
        return try outcome.closureResult.get()
    }

    /// Creates a database.
    /// - Parameter template: the URL of the database that is copied; nil for an empty database.
    /// - Returns: its URL, for TCP with the password.
    package func makeDatabase(copying template: String? = nil) async throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        let original = template.map { "--template \($0.split(separator: "/").last ?? "")" } ?? ""
        try await run("PGUSER=spool PGHOST=\(directory) PGPORT=\(port) $bin/createdb \(original) \(name)")
        return url(database: name)
    }

    /// The URL of a database.
    package func url(database: String, user: String = "spool", password: String = password) -> String {
        "postgresql://\(user):\(password)@127.0.0.1:\(port)/\(database)"
    }

    /// The connection string for the Unix socket, which needs no password.
    package func socketString(database: String) -> String {
        "host=\(directory) port=\(port) user=spool dbname=\(database)"
    }

    /// Kills the server and its children with SIGKILL, and waits until they are gone.
    package func kill() async throws { try await run("kill_server \(directory)") }

    /// Starts the server again, on the same port with the same data.
    package func start() async throws { try await run("start_server \(directory) \(port)") }

    private func run(_ line: String) async throws {
        let outcome = try await ShellTool.run(ProcessEnd.function + PostgresServer.functions + line)
        guard outcome.status == 0 else { throw Failure(description: "\(line): \(outcome.errors)\(outcome.output)") }
    }

    private static let functions = """
        set -u
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
        [ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo /no/initdb)")
        as_user() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        start_server() {  # directory, port
            as_user "$bin/pg_ctl" -D "$1/data" -l "$1/log" -w -t 60 start -o \
                "-p $2 -k $1 -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off \
                -c full_page_writes=off -c shared_buffers=32MB -c max_connections=400" </dev/null >"$1/start" 2>&1
        }
        kill_server() {  # directory
            local main=$(head -n 1 "$1/data/postmaster.pid")
            local all="$main $(pgrep -P "$main" | tr '\\n' ' ')"
            kill -KILL $all
            until_ended $all
            rm -f "$1/data/postmaster.pid" "$1"/.s.PGSQL.*
        }

        """

    private static let watcher = """
        directory=$(mktemp -d /tmp/spool-postgres.XXXXXX)
        clean_up() {
            as_user "$bin/pg_ctl" -D "$directory/data" -m immediate stop >/dev/null 2>&1
            rm -rf "$directory"
        }
        trap clean_up EXIT
        trap '' INT TERM HUP  # only the end of the input counts: a signal in the midst of tidying up would end that
        if [ "$(id -u)" = 0 ]; then chown postgres "$directory"; fi
        chmod 755 "$directory"
        cd "$directory"
        printf '\(password)\\n' > password && chmod 644 password
        as_user "$bin/initdb" -D "$directory/data" -U spool --pwfile=password --auth-local=trust \
            --auth-host=scram-sha-256 -E UTF8 --locale=C.UTF-8 --no-sync >init 2>&1 || { cat init; exit 1; }
        for attempt in 1 2 3 4 5 6 7 8 9 10; do
            port=$((20000 + RANDOM % 12000))
            if start_server "$directory" "$port"; then
                echo "ready $port $directory"
                while read -r line; do :; done
                exit 0
            fi
        done
        cat log start

        """
}
