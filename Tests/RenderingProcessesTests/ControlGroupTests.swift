import ExportPlan
import FoundationEssentials
import Glibc
import ProcessIsolation
import RenderingProcesses
import TestSupport
import Testing

/// Attacks on the limits that a control group sets, each of which succeeds without the group. They need a system with
/// control groups of version 2; `Tests/ControlGroups/run` starts one on a machine that has another version.
@Suite(.serialized) struct ControlGroupTests {
    private static let groups: Result<DelegatedControlGroup, any Error> = Result { try DelegatedControlGroup() }

    @Test("Shared memory, which no limit of the process counts, ends with the group's limit", .timeLimit(.minutes(5)))
    func sharedMemory() async throws {
        guard let group = delegated() else { return }
        let limited = try await attack("memory", in: RendererGroups(below: group, memory: 256 << 20))
        #expect(limited == "died: resource: it exceeded its memory, or the worker's control group had none left")
        #expect(try await attack("memory", in: nil) == "finished")
    }

    @Test("Files in memory count as the process's memory", .timeLimit(.minutes(5)))
    func filesInMemory() async throws {
        guard let group = delegated() else { return }
        let limited = try await attack("files", in: RendererGroups(below: group, memory: 192 << 20))
        #expect(limited == "died: resource: it exceeded its memory, or the worker's control group had none left")
        #expect(try await attack("files", in: nil) == "finished")
    }

    @Test("Threads, of which a user may have many, end with the group's limit", .timeLimit(.minutes(5)))
    func threads() async throws {
        guard let group = delegated() else { return }
        let limited = try await attack("threads", in: RendererGroups(below: group, memory: 1024 << 20, threads: 60))
        #expect(limited == "died: it ended with exit code 3")
        #expect(try await attack("threads", in: nil) == "finished")
    }

    @Test("A process that left its process group ends with its rendering process", .timeLimit(.minutes(5)))
    func leftBehind() async throws {
        guard let group = delegated() else { return }
        let directory = try TemporaryDirectory()
        let renderer = try MisbehavingRenderer(in: directory)
        let wrapper = try script(
            """
            [ "$1" != --control-group ] || echo 0 > "$2/cgroup.procs"
            setsid tail -f /dev/null > /dev/null 2>&1 < /dev/null &
            echo $! > '\(directory.file("left"))'
            exec '\(renderer.executable)'
            """, in: directory)
        for groups in [RendererGroups(below: group, memory: 256 << 20), nil] {
            let feed = ListFeed(["/good"])
            try await RenderingProcess(executable: wrapper, arguments: [], groups: groups).serve(feed)
            #expect(await feed.outcomes["/good"] == "finished")
            let text = try Data(contentsOf: URL(fileURLWithPath: directory.file("left")))
            let left = try #require(pid_t(String(decoding: text, as: UTF8.self).dropLast()))
            #expect((kill(left, SIGKILL) == 0) == (groups == nil), "it lives on without a group only")
        }
    }

    @Test("No groups are left when rendering processes have ended, and their jobs succeed", .timeLimit(.minutes(5)))
    func ordinary() async throws {
        guard let group = delegated() else { return }
        #expect(try await attack("nothing", in: RendererGroups(below: group, memory: 1024 << 20)) == "finished")
        let names = try FileManager.default.contentsOfDirectory(atPath: group.directory)
        #expect(!names.contains { $0.hasPrefix("spool-process-\(getpid())-") }, "\(names)")
    }

    private func delegated() -> DelegatedControlGroup? {
        switch Self.groups {
        case .success(let group): return group
        case .failure(let error):
            print("not tested: \(error)")
            return nil
        }
    }

    /// Runs a job in a rendering process that makes an attack after it.
    /// - Returns: how the job after the attack ended.
    private func attack(_ name: String, in groups: RendererGroups?) async throws -> String? {
        let directory = try TemporaryDirectory()
        let (source, library) = (directory.file("attack.c"), directory.file("attack.so"))
        try Data(Self.code.utf8).write(to: URL(fileURLWithPath: source))
        let outcome = try await ShellTool.run(
            "cc -shared -fPIC -Wall -Wextra -Werror '\(source)' -o '\(library)' && chmod 755 '\(directory.path)' '\(library)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let renderer = try script(
            "LD_PRELOAD='\(library)' LD_SPOOL_ATTACK=\(name) exec '\(SpoolTool.executable)-render' \"$@\"", in: directory)
        // Without its group, the process would take no job.
        let arguments = ["serve", "--limited", "--memory", "2048"] + (groups == nil ? [] : ["--require", "controlGroup"])
        let process = RenderingProcess(
            executable: renderer, arguments: arguments, groups: groups)
        let order = RenderOrder(.noOp, store: directory.path)
        let feed = ListFeed([(name: "first", order: order)])
        try await process.serve(feed)
        return await feed.outcomes["first"]
    }

    private func script(_ text: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("renderer")
        let content = Data("#!/bin/bash\n\(text)\n".utf8)
        guard FileManager.default.createFile(atPath: path, contents: content, attributes: [.posixPermissions: 0o755]) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return path
    }

    /// Replaces a function that a rendering process calls when it reports a result, so that the attack comes before its end.
    private static let code = """
        #define _GNU_SOURCE
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/resource.h>
        #include <unistd.h>

        static void *wait_for_ever(void *nothing) {
            // In a Linux that runs as a process, it may return without a signal.
            for (;;) pause();
            return nothing;
        }

        static void share_memory(size_t size) {
            char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED) _exit(2);
            memset(memory, 1, size);
        }

        static void write_files(void) {
            static char block[1 << 20];
            memset(block, 1, sizeof block);
            for (int number = 0; number < 6; number++) {
                int file = memfd_create("block", 0);
                for (int count = 0; count < 50; count++) {
                    if (file < 0 || write(file, block, sizeof block) != sizeof block) _exit(2);
                }
            }
        }

        static void start_threads(void) {
            pthread_attr_t small;
            pthread_attr_init(&small);
            pthread_attr_setstacksize(&small, 65536);
            for (int count = 0; count < 200; count++) {
                pthread_t thread;
                if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0) _exit(3);
            }
        }

        int getrusage(int who, struct rusage *usage) {
            static int calls;
            (void)who;
            memset(usage, 0, sizeof *usage);
            const char *attack = getenv("LD_SPOOL_ATTACK");
            if (!attack || ++calls != 3) return 0;
            if (!strcmp(attack, "memory")) share_memory(600 << 20);
            if (!strcmp(attack, "files")) write_files();
            if (!strcmp(attack, "threads")) start_threads();
            return 0;
        }
        """
}
