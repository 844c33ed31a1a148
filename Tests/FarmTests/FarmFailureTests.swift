import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// A server that the farm depends on fails: clients are told, and no work is lost.
@Suite(.serialized) struct FarmFailureTests {
    @Test(
        "Without PostgreSQL clients are told to retry, and exports continue when it is back", .timeLimit(.minutes(5))
    )
    func database() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await PostgresServer.withServer { server in
            try await TestFarm.with(workers: 1, postgres: server) { farm in
                let id = try await farm.submit([drafts.file(0)])[0]
                try await farm.eventually { try await farm.rendersSegment() }
                try await server.kill()
                for command in [["submit", drafts.file(1)], ["status", id], ["queue", "ls"]] {
                    let outcome = try await farm.spool(command)
                    #expect(outcome.status == 69, "\(command)")
                    #expect(outcome.errors.contains("the database cannot be used"), "\(outcome.errors)")
                }
                try await server.start()
                try await farm.watch([id])
                #expect(try await farm.film(id) == local)
            }
        }
    }

    @Test("When the leading coordinator dies, another one leads", .timeLimit(.minutes(5)))
    func leader() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            try await farm.startCoordinator(1)
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("coordinator0")
            try await farm.watch([id], coordinator: 1)
            #expect(try await farm.film(id, coordinator: 1) == local)
        }
    }

    @Test("A worker with a full disk says so, and continues the export once there is room", .timeLimit(.minutes(5)))
    func fullDisk() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            let folder = farm.directory.file("store/tenants")
            let mounted = try await ShellTool.run("mkdir -p '\(folder)' && mount -t tmpfs -o size=64k tmpfs '\(folder)'")
            guard mounted.status == 0 else { return print("not tested: a small disk cannot be mounted: \(mounted.errors)") }
            do {
                let id = try await farm.submit([drafts.file(0)])[0]
                try await farm.eventually {
                    try await farm.failedAttempts().contains {
                        $0.failureClass == .storage && $0.message.contains("No space left on device")
                    }
                }
                #expect(try await ShellTool.run("mount -o remount,size=64m '\(folder)'").status == 0)
                try await farm.watch([id])
                #expect(try await farm.film(id) == local)
            } catch {
                _ = try await ShellTool.run("umount -l '\(folder)'")
                throw error
            }
            _ = try await ShellTool.run("umount -l '\(folder)'")
        }
    }

    @Test("A rendering process has limits, no credentials and no network", .timeLimit(.minutes(5)))
    func isolation() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)], ["--set", "encoderSpeed=placebo"])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            let process = try #require(try await farm.renderingProcesses().last)
            let environment = try await farm.environment(of: process)
            #expect(environment.contains("PATH="))
            #expect(!environment.contains("SPOOL_"))
            let limits = try await ShellTool.run("cat /proc/\(process)/limits").output
            for name in ["Max data size", "Max file size", "Max cpu time"] {
                let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
                #expect(!line.dropFirst(name.count).drop { $0 == " " }.hasPrefix("unlimited"), "\(line)")
            }
            if try await ShellTool.run("unshare -n true || unshare -rn true").status == 0 {
                // A separate network namespace has a loopback device and nothing else.
                let devices = try await ShellTool.run("tail -n +3 /proc/\(process)/net/dev").output.split(separator: "\n")
                #expect(devices.count == 1 && devices[0].contains("lo:"), "\(devices)")
            } else {
                print("not tested: this system lets nobody leave the network")
            }
            #expect(try await farm.spool(["cancel", id]).status == 0)
        }
    }
}
