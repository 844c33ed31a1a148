import ExportPlan
import FoundationEssentials
import Glibc
import ProcessIsolation
import TestSupport
import Testing

/// A hostile stand-in for the code that decodes: it runs inside a rendering process and tries to get out, with each layer
/// of the sandbox alone, with none, and with all.
@Suite(.serialized) struct SandboxTests {
    private static var renderer: String { SpoolTool.executable + "-render" }

    /// For each attack the layers that refuse it alone.
    private static let refusals: [String: Set<SandboxLayer>] = [
        "connect": [.network, .landlock, .systemCalls],
        "read another tenant's file": [.files, .landlock],
        "replace another tenant's file": [.files, .landlock],
        "read a file of root": [.user, .files, .landlock],
        "read an environment": [.user, .capabilities],
        "read memory": [.user, .capabilities, .processes, .landlock, .systemCalls],
        "signal": [.user, .processes, .landlock, .systemCalls],
        "start a process": [.systemCalls],
        "give a file away": [.user, .capabilities, .files, .systemCalls],
        "find shared memory": [.ipc, .systemCalls],
    ]

    @Test("Each layer of the sandbox refuses its attacks alone, and without layers they succeed", .timeLimit(.minutes(5)))
    func layers() async throws {
        guard geteuid() == 0 else { return print("not tested: only root has rights to lose") }
        let targets = try await AttackTargets.prepare()
        let report = try await targets.trial()
        let available = SandboxLayer.allCases.filter { report.missing[$0] == nil }
        for layer in SandboxLayer.allCases where !available.contains(layer) {
            print("not tested: this system does not allow the layer \(layer.rawValue): \(report.missing[layer] ?? "")")
        }
        let unprotected = try await targets.attack(with: [])
        #expect(unprotected == Self.refusals.mapValues { _ in true }, "all attacks succeed where nothing refuses them")
        for layer in available {
            let succeeded = try await targets.attack(with: [layer])
            for (attack, layers) in Self.refusals {
                #expect(succeeded[attack] == !layers.contains(layer), "\(attack) with \(layer.rawValue) alone")
            }
        }
        let protected = try await targets.attack(with: available)
        #expect(protected == Self.refusals.mapValues { _ in false })
    }

    @Test("A program with the set-user-ID bit gives its rights only where privileges can be gained", .timeLimit(.minutes(2)))
    func privileges() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can set such a bit") }
        let targets = try await AttackTargets.prepare()
        #expect(try await targets.userOfProgram(with: [.user]) == 0)
        #expect(try await targets.userOfProgram(with: [.user, .privileges]) == 65534)
    }

    @Test(
        "The order's files are all that a sandboxed process sees, and another tenant's order goes to another process",
        .timeLimit(.minutes(2)))
    func view() async throws {
        let directory = try TemporaryDirectory()
        let library = try await Attacker.compile(Attacker.listing, in: directory)
        for tenant in [1, 2] {
            let path = directory.file("store/tenants/\(tenant)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("film".utf8).write(to: URL(fileURLWithPath: "\(path)/film-of-\(tenant)"))
        }
        let orders = try [(1, 1), (1, 2), (2, 3)].map { tenant, number in
            let order = RenderOrder(.noOp, store: directory.file("store/tenants/\(tenant)"), number: number)
            return String(decoding: try MessageLine.encode(order), as: UTF8.self)
        }
        let outcome = try await ShellTool.run(
            """
            chmod -R a+rwX '\(directory.path)'
            coproc RENDERER {
                LD_PRELOAD='\(library)' LD_SPOOL_LIST='\(directory.path)/store/tenants' exec '\(Self.renderer)' serve --limited \\
                    2> '\(directory.path)/log'
            }
            process=$RENDERER_PID
            while read -r order; do
                echo "$order" >&"${RENDERER[1]}"
                read -r answer <&"${RENDERER[0]}" && echo "$answer"
            done <<'ORDERS'
            \(orders.joined())ORDERS
            wait $process
            echo "status $?"
            cat '\(directory.path)/log'
            """)
        #expect(outcome.output.contains("sees 1\n"), "\(outcome.output)")
        #expect(!outcome.output.contains("sees 2\n"), "\(outcome.output)")
        #expect(outcome.output.contains("\"order\":2"), "a second order for the same files is done: \(outcome.output)")
        #expect(!outcome.output.contains("\"order\":3"), "it ends before it answers: \(outcome.output)")
        #expect(outcome.output.contains("\nstatus 0\n"), "\(outcome.output)")
    }

    @Test(
        "A rendering process that is ended by a signal inside its namespace ends so for the worker, too", arguments: [6, 9, 24])
    func signals(_ signal: Int) async throws {
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { exec '\(Self.renderer)' serve --limited; }
            process=$RENDERER_PID
            echo '{}' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            inner=$process
            while next=$(pgrep -P $inner); do inner=$next; done
            kill -\(signal) $inner
            wait $process
            echo "status $?"
            """)
        #expect(outcome.output.hasSuffix("status \(128 + signal)\n"), "\(outcome.output) \(outcome.errors)")
    }

    @Test("A rendering process does not outlive the process that the worker has started", .timeLimit(.minutes(1)))
    func outliving() async throws {
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { exec '\(Self.renderer)' serve --limited; }
            process=$RENDERER_PID
            echo '{}' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            inner=$process
            while next=$(pgrep -P $inner); do inner=$next; done
            kill -KILL $process
            # Its standard output is closed when it is gone.
            cat <&"${RENDERER[0]}" > /dev/null
            ps -o pid= -p $inner || echo gone
            """)
        #expect(outcome.output == "gone\n", "\(outcome.output) \(outcome.errors)")
    }

    @Test("A rendering process that does not end by itself when its worker is gone is ended", .timeLimit(.minutes(1)))
    func stubborn() async throws {
        let directory = try TemporaryDirectory()
        let library = try await Attacker.compile(Attacker.stubborn, in: directory)
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { LD_PRELOAD='\(library)' exec '\(Self.renderer)' serve --limited; }
            process=$RENDERER_PID
            echo '{}' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            inner=$process
            while next=$(pgrep -P $inner); do inner=$next; done
            eval "exec ${RENDERER[1]}>&-"
            wait $process
            echo "status $?"
            ps -o pid= -p $inner || echo gone
            """)
        #expect(outcome.output == "status 137\ngone\n", "\(outcome.output) \(outcome.errors)")
    }

    @Test("What a sandbox mounts appears nowhere else", .timeLimit(.minutes(1)))
    func mounts() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can make shared mounts") }
        let directory = try TemporaryDirectory()
        // The store lies in a directory that can be read, and the mounts around it are shared, as systemd makes them.
        let outcome = try await ShellTool.run(
            """
            cd '\(directory.path)' && mkdir store && chmod -R a+rwX . && umask 077
            unshare -m --propagation shared bash -c '
                mount --bind "$PWD" "$PWD" && mount --make-shared "$PWD"
                cat /proc/self/mountinfo > before
                "\(Self.renderer)" sandbox --user 65534:65534 --store "$PWD/store"
                cat /proc/self/mountinfo > after
                diff before after && echo same'
            """)
        #expect(
            outcome.output.contains(#""missing":{"controlGroup":"it was started without one"}"#),
            "the umask closes nothing: \(outcome.output) \(outcome.errors)")
        #expect(outcome.output.hasSuffix("same\n"), "\(outcome.output)")
    }

    @Test("A worker does not start without a layer that it is told to require")
    func required() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            """
            mkdir -p '\(directory.path)/store'
            '\(SpoolTool.executable)' worker run --store '\(directory.path)/store' --redis-url redis://127.0.0.1:1 \\
                --require-sandbox walls
            """)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("layers of the sandbox are user, capabilities"), "\(outcome.errors)")
    }

    @Test("A rendering process takes no job without a layer that it has to have")
    func missing() async throws {
        let order = try String(decoding: MessageLine.encode(RenderOrder(.noOp, store: "/nowhere")), as: UTF8.self)
        let outcome = try await ShellTool.run(
            """
            coproc RENDERER { exec '\(Self.renderer)' serve --limited --omit landlock --require files,landlock; }
            echo '\(order.dropLast())' >&"${RENDERER[1]}"
            read -r answer <&"${RENDERER[0]}"
            echo "$answer"
            """)
        #expect(outcome.output.contains("environment"), "\(outcome.output)")
        #expect(outcome.output.contains("landlock (left out)"), "\(outcome.output)")
    }
}

/// What the attacks are made on: a server, files, and a process with a secret, all of root's.
private struct AttackTargets {
    private let directory: TemporaryDirectory
    private let library: String

    static func prepare() async throws -> AttackTargets {
        let directory = try TemporaryDirectory()
        let library = try await Attacker.compile(Attacker.attacks, in: directory)
        return AttackTargets(directory: directory, library: library)
    }

    func trial() async throws -> SandboxReport {
        let outcome = try await ShellTool.run("'\(SpoolTool.executable)-render' sandbox --user 65534:65534")
        return try JSONDecoder().decode(SandboxReport.self, from: Data(outcome.output.utf8))
    }

    /// Tries every attack from a rendering process that has only these layers.
    /// - Returns: whether each attack succeeded.
    func attack(with layers: [SandboxLayer]) async throws -> [String: Bool] {
        let lines = try await run(with: layers, mode: "attack")
        var succeeded: [String: Bool] = [:]
        for line in lines where line.hasPrefix("try ") {
            let parts = line.dropFirst(4).split(separator: ":", maxSplits: 1)
            succeeded[String(parts[0])] = parts.count == 2 && parts[1].hasSuffix(" allowed")
        }
        return succeeded
    }

    /// The effective user of a program that belongs to root and has the set-user-ID bit.
    func userOfProgram(with layers: [SandboxLayer]) async throws -> Int? {
        let lines = try await run(with: layers, mode: "program")
        return lines.first { $0.hasPrefix("user ") }.flatMap { Int($0.dropFirst(5)) }
    }

    private func run(with layers: [SandboxLayer], mode: String) async throws -> [String] {
        let omitted = SandboxLayer.allCases.filter { !layers.contains($0) }.map(\.rawValue).joined(separator: ",")
        let outcome = try await ShellTool.run(
            """
            cd '\(directory.path)' && chmod 755 . || exit 1
            cp /usr/bin/id program && chmod 4755 program
            echo film > tenant && chown 65534 tenant && chmod 666 tenant
            echo secret > root && chmod 600 root
            rm -f given port && touch given && mkfifo port
            LD_SPOOL_SECRET=secret sleep 1000 & victim=$!
            /usr/bin/python3 -c 'import socket, time
            s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(64)
            print(s.getsockname()[1], flush=True); time.sleep(1000)' > port & server=$!
            # The server opens the pipe with its port when it listens.
            read -r port < port
            shared=$(ipcmk -M 4096 -p 0666 | grep -o '[0-9]*$')
            key=$(ipcs -m | awk -v id="$shared" '$2 == id { print $1 }')
            export LD_SPOOL_MODE=\(mode) LD_SPOOL_VICTIM=$victim LD_SPOOL_PORT=$port LD_SPOOL_KEY=$key LD_SPOOL_TARGETS=$PWD
            coproc RENDERER {
                LD_PRELOAD='\(library)' exec '\(SpoolTool.executable)-render' serve --limited --user 65534:65534 \\
                    \(omitted.isEmpty ? "" : "--omit \(omitted)") 2> log
            }
            # With the second answer, what follows the first one has happened.
            for _ in 1 2; do
                echo '{}' >&"${RENDERER[1]}"
                read -r answer <&"${RENDERER[0]}"
            done
            cat log
            ipcrm -m $shared
            kill -KILL $victim $server
            """)
        return outcome.output.split(separator: "\n").map(String.init)
    }
}

/// C code that replaces the function which a rendering process calls after each job.
private enum Attacker {
    static func compile(_ code: String, in directory: TemporaryDirectory) async throws -> String {
        let (source, library) = (directory.file("attacker.c"), directory.file("attacker.so"))
        try Data(code.utf8).write(to: URL(fileURLWithPath: source))
        let outcome = try await ShellTool.run(
            "cc -shared -fPIC -Wall -Wextra -Werror '\(source)' -o '\(library)' && chmod 755 '\(directory.path)' '\(library)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return library
    }

    /// A rendering process, the second process of its namespace, that does not end after its first job.
    static let stubborn = """
        #define _GNU_SOURCE
        #include <stddef.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        int malloc_trim(size_t pad) {
            (void)pad;
            for (;;) pause();
        }

        void _exit(int status) {
            while (getpid() == 2) pause();
            syscall(SYS_exit_group, status);
            __builtin_unreachable();
        }
        """

    static let listing = """
        #include <stdio.h>
        #include <stdlib.h>

        int malloc_trim(size_t pad) {
            (void)pad;
            for (int tenant = 1; tenant <= 2; tenant++) {
                char name[4096];
                snprintf(name, sizeof name, "%s/%d/film-of-%d", getenv("LD_SPOOL_LIST"), tenant, tenant);
                FILE *film = fopen(name, "r");
                if (film) fprintf(stderr, "sees %d\\n", tenant);
                if (film) fclose(film);
            }
            return 0;
        }
        """

    static let attacks = """
        #define _GNU_SOURCE
        #include <arpa/inet.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/shm.h>
        #include <sys/socket.h>
        #include <sys/uio.h>
        #include <sys/wait.h>
        #include <unistd.h>

        static void say(const char *what, long result) {
            fprintf(stderr, "try %s: %s\\n", what, result >= 0 ? "allowed" : "refused");
        }

        static long is_opened(const char *directory, const char *name, int flags) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", directory, name);
            int file = open(path, flags);
            if (file >= 0) close(file);
            return file;
        }

        static long is_connected(int port) {
            struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int connection = socket(AF_INET, SOCK_STREAM, 0);
            if (connection < 0) return -1;
            long result = connect(connection, (struct sockaddr *)&address, sizeof address);
            close(connection);
            return result;
        }

        static long is_environment_read(pid_t victim) {
            char path[64], text[65536];
            snprintf(path, sizeof path, "/proc/%d/environ", victim);
            int file = open(path, O_RDONLY);
            if (file < 0) return -1;
            ssize_t count = read(file, text, sizeof text);
            close(file);
            return count > 0 && memmem(text, (size_t)count, "LD_SPOOL_SECRET", 15) ? 0 : -1;
        }

        static long is_memory_read(pid_t victim, void *address) {
            char byte;
            struct iovec own = {&byte, 1}, other = {address, 1};
            return process_vm_readv(victim, &own, 1, &other, 1, 0) == 1 || errno == EFAULT ? 0 : -1;
        }

        static long is_process_started(void) {
            pid_t child = fork();
            if (child == 0) _exit(0);
            if (child > 0) waitpid(child, NULL, 0);
            return child;
        }

        static long is_given_away(const char *directory) {
            char path[4096];
            snprintf(path, sizeof path, "%s/given", directory);
            return chown(path, 1, 1);
        }

        static void run_program(const char *directory) {
            char path[4096];
            snprintf(path, sizeof path, "%s/program", directory);
            pid_t child = fork();
            if (child == 0) {
                unsetenv("LD_PRELOAD");
                fprintf(stderr, "user ");
                dup2(STDERR_FILENO, STDOUT_FILENO);
                execl(path, "program", "-u", NULL);
                _exit(1);
            }
            if (child > 0) waitpid(child, NULL, 0);
        }

        int malloc_trim(size_t pad) {
            (void)pad;
            static int is_done;
            const char *mode = getenv("LD_SPOOL_MODE"), *directory = getenv("LD_SPOOL_TARGETS");
            if (!mode || is_done) return 0;
            is_done = 1;
            if (!strcmp(mode, "program")) {
                run_program(directory);
                return 0;
            }
            pid_t victim = atoi(getenv("LD_SPOOL_VICTIM"));
            say("connect", is_connected(atoi(getenv("LD_SPOOL_PORT"))));
            say("read another tenant's file", is_opened(directory, "tenant", O_RDONLY));
            say("replace another tenant's file", is_opened(directory, "tenant", O_WRONLY));
            say("read a file of root", is_opened(directory, "root", O_RDONLY));
            say("read an environment", is_environment_read(victim));
            say("read memory", is_memory_read(victim, NULL));
            say("signal", kill(victim, 0));
            say("start a process", is_process_started());
            say("give a file away", is_given_away(directory));
            say("find shared memory", shmget((key_t)strtoul(getenv("LD_SPOOL_KEY"), NULL, 0), 0, 0));
            return 0;
        }
        """
}
