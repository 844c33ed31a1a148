import Coordinator
import Postgres
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// What a process that decodes strangers' files can do to the machine that it runs on.
@Suite(.serialized) struct RendererIsolationTests {
    private static var renderer: String { SpoolTool.executable + "-render" }

    @Test("A limited renderer started by root runs as another user without capabilities or forbidden calls")
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

    @Test("A limited renderer that stays root has no capabilities")
    func powerlessRoot() async throws {
        guard geteuid() == 0 else { return print("not tested: this user is not root") }
        let status = try await status(ofRenderer: ["--limited"])
        #expect(status["Uid"] == "0 0 0 0")
        for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] { #expect(status[name] == "0000000000000000", "\(name)") }
        #expect(status["NoNewPrivs"] == "1")
        #expect(status["Seccomp"] == "2")
    }

    @Test("A limited renderer gives way to other processes, and one that is not limited does not")
    func niceness() async throws {
        #expect(try await status(ofRenderer: ["--limited"])["Nice"] == "10")
        #expect(try await status(ofRenderer: [])["Nice"] == "0")
    }

    @Test("A limited renderer can neither reach other processes nor start any", .timeLimit(.minutes(2)))
    func others() async throws {
        let directory = try TemporaryDirectory()
        let (source, library) = (directory.file("attempts.c"), directory.file("attempts.so"))
        try Data(Self.attempts.utf8).write(to: URL(fileURLWithPath: source))
        let outcome = try await ShellTool.run(
            """
            cc -shared -fPIC -Wall -Wextra -Werror '\(source)' -o '\(library)' || exit 1
            sleep 1000 & victim=$!
            for limited in '' --limited; do
                coproc RENDERER {
                    LD_PRELOAD='\(library)' LD_SPOOL_VICTIM=$victim exec '\(Self.renderer)' serve $limited 2>> '\(directory.file("log"))'
                }
                process=$RENDERER_PID
                # With the second answer, what follows the first one has happened.
                for _ in 1 2; do
                    echo '{}' >&"${RENDERER[1]}"
                    read -r answer <&"${RENDERER[0]}"
                done
                kill -KILL $process
                wait $process
            done
            kill -KILL $victim
            grep '^try' '\(directory.file("log"))'
            """)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let (free, limited) = (lines.prefix(lines.count / 2), lines.suffix(lines.count / 2))
        #expect(free.count == 9 && limited.count == 9, "\(outcome.output) \(outcome.errors)")
        let own = ["try a signal to itself: allowed", "try a thread: allowed"]
        #expect(free.allSatisfy { $0.hasSuffix(": allowed") }, "without limits all of it is possible: \(free)")
        #expect(limited.filter { $0.hasSuffix(": allowed") } == own, "\(limited)")
        #expect(limited.filter { $0.hasSuffix(": refused") }.count == 7, "\(limited)")
    }

    /// C code that replaces the function which a renderer calls after each job. It tries what a limited renderer may
    /// not do.
    private static let attempts = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/resource.h>
        #include <sys/syscall.h>
        #include <sys/wait.h>
        #include <unistd.h>

        static void say(const char *what, long result) {
            fprintf(stderr, "try %s: %s\\n", what, result >= 0 ? "allowed" : errno == EPERM ? "refused" : "failed");
        }

        static void *nothing(void *argument) { return argument; }

        static long reaped(long child) {
            if (child == 0) _exit(0);
            if (child > 0) waitpid((pid_t)child, NULL, 0);
            return child;
        }

        int malloc_trim(size_t pad) {
            (void)pad;
            static int is_done;
            const char *text = getenv("LD_SPOOL_VICTIM");
            if (!text || is_done) return 0;
            is_done = 1;
            pid_t victim = atoi(text);
            struct rlimit limit;
            pthread_t thread;
            say("a signal to another process", kill(victim, 0));
            say("a signal to another's thread", syscall(SYS_tgkill, victim, victim, 0));
            int descriptor = (int)syscall(SYS_pidfd_open, victim, 0);
            say("a descriptor of another process", descriptor);
            if (descriptor >= 0) close(descriptor);
            say("the limits of another process", prlimit(victim, RLIMIT_CPU, NULL, &limit));
            say("a priority", setpriority(PRIO_PROCESS, (id_t)victim, 5));
            say("a process", reaped(fork()));
            say("a process that leaves its group", reaped(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
            say("a signal to itself", kill(getpid(), 0));
            int failure = pthread_create(&thread, NULL, nothing, NULL);
            if (!failure) pthread_join(thread, NULL);
            errno = failure;
            say("a thread", -failure);
            return 0;
        }
        """

    @Test("A renderer of the user's own drafts keeps the user, and gets no new privileges")
    func own() async throws {
        let status = try await status(ofRenderer: [])
        #expect(status["Uid"] == Array(repeating: "\(getuid())", count: 4).joined(separator: " "))
        #expect(status["NoNewPrivs"] == "1")
    }

    @Test("A limited renderer refuses to run as root or as an invalid user")
    func notRoot() async throws {
        for user in ["0:0", "nobody", "5", "5:", "-1:5"] {
            let outcome = try await ShellTool.run("'\(Self.renderer)' serve --limited --user='\(user)' < /dev/null")
            #expect(outcome.status == 64, "\(user): \(outcome.errors)")
        }
    }

    /// A process of a farm that has passwords in its environment.
    enum SecretHolder: String, CaseIterable {
        case worker, coordinator
        /// The process that `spool up` starts between itself and a worker.
        case guardian

        var words: String {
            switch self {
            case .worker: "worker"
            case .coordinator: "coordinator --port 0"
            case .guardian: "guard --log \"$PWD/said\" -- '\(SpoolTool.executable)' worker"
            }
        }
    }

    @Test(
        "The environment of a farm's process cannot be read by other processes, even of the same user",
        .timeLimit(.minutes(2)), arguments: SecretHolder.allCases)
    func environment(_ holder: SecretHolder) async throws {
        guard geteuid() == 0 else { return print("not tested: only root can start a process of another user") }
        let directory = try TemporaryDirectory()
        let redis = try await RedisServer.start(["--requirepass", "wholly-secret"])
        let database = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        _ = try await Migrator(pool).migrate()
        await pool.close()
        let script = """
            cd '\(directory.path)' && mkdir store && touch store/.spool-store && mkfifo said life && chown -R 65534 . || exit 1
            export SPOOL_REDIS_URL='redis://:wholly-secret@127.0.0.1:\(redis.port)' SPOOL_STORE="$PWD/store"
            export SPOOL_DATABASE_URL='\(database)'
            nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --)
            # Both pipes stay open, whichever process ends.
            exec 3<> said 4<> life
            "${nobody[@]}" '\(SpoolTool.executable)' \(holder.words) < life > said 2>&1 &
            process=$!
            # It has hidden its environment before it says anything.
            read -r line <&3
            echo "$line"
            "${nobody[@]}" cat /proc/$process/environ && echo "the environment was read"
            tr '\\0' '\\n' < /proc/$process/environ | grep -c wholly-secret
            kill -TERM $process
            wait $process
            """
        let outcome = try await ShellTool.run(script)
        #expect(outcome.errors.contains("Permission denied"), "\(outcome.output) \(outcome.errors)")
        #expect(!outcome.output.contains("the environment was read"))
        // Root can read it, which shows that the process runs and has the secret.
        #expect(outcome.output.split(separator: "\n").last == "1", "\(outcome.output)")
    }

    /// The kernel's status of a renderer that has answered one command, and as `Nice` by how much its niceness is higher
    /// than that of its parent.
    private func status(ofRenderer arguments: [String]) async throws -> [String: String] {
        let words = arguments.joined(separator: " ")
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { exec '\(Self.renderer)' serve \(words); }
            process=$RENDERER_PID
            echo '{}' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            # The started process waits outside the namespace of the one that renders.
            while inner=$(pgrep -P $process); do process=$inner; done
            cat /proc/$process/status
            echo "Nice: $(($(ps -o ni= -p $process) - $(ps -o ni= -p $$)))"
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
