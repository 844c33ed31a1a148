import ArtifactStore
import Coordinator
import FarmAPI
import Postgres
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// Messages of an operator's commands about directories and machines that do not suit a farm.
@Suite("Messages of a farm's own commands") struct FarmMessageTests {
    @Test("Files in the store that are not spool's are told, and stay")
    func foreignFiles() async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        try #require(try await SpoolTool.run(["migrate", "--database-url", database]).status == 0)
        let directory = try TemporaryDirectory()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        let store = PostgresFarmStore(pool)
        let tenant = try await store.createTenant("one", weight: 1).id
        let farm = FarmDirectory(directory.path, farm: try await store.farm())
        await pool.close()
        try farm.marker.create()
        let notes = farm.artifacts(ofTenant: tenant) + "/notes.txt"
        try FileManager.default.createDirectory(
            atPath: farm.artifacts(ofTenant: tenant), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: notes))
        let outcome = try await SpoolTool.run(["gc", "--database-url", database, "--store", directory.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "warning: among the artifacts are entries that are no files of spool, which are left alone: 1\n"),
            "\(outcome.errors)")
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "mine")
    }

    @Test("A directory of 'spool up' that cannot be created is named with the remedy")
    func noDirectory() async throws {
        let outcome = try await SpoolTool.run([
            "up", "--directory", "/dev/null/farm", "--port", "\(try RedisServer.freePort())",
        ])
        #expect(outcome.status == 69)
        #expect(
            outcome.errors
                == "error: the directory '/dev/null/farm' cannot be created; choose another one with --directory\n",
            "\(outcome.errors)")
    }

    @Test("A directory that the farm's users may not enter is named with the user and the remedy")
    func closedDirectory() async throws {
        guard geteuid() == 0 else { return print("not tested: only root starts processes as other users") }
        let directory = try TemporaryDirectory()
        let closed = directory.file("closed")
        try FileManager.default.createDirectory(
            atPath: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let farm = try await SpoolTool.run([
            "up", "--directory", closed + "/farm", "--port", "\(try RedisServer.freePort())",
        ])
        #expect(farm.status == 69)
        #expect(
            farm.errors.hasSuffix("', who may not enter '\(closed)'; choose another --directory\n"), "\(farm.errors)")
        let worker = try await SpoolTool.run([
            "worker", "run", "--store", closed + "/store", "--redis-url", "redis://127.0.0.1:1",
        ])
        #expect(worker.status == 69)
        #expect(
            worker.errors.hasSuffix(
                "', who may not enter '\(closed)'; choose another store, or name a user who may with --render-user\n"),
            "\(worker.errors)")
    }

    @Test("A worker that lacks a layer of the sandbox which it requires ends with the reason and the remedy")
    func missingLayer() async throws {
        let directory = try TemporaryDirectory()
        let program = directory.file("renderer")
        _ = FileManager.default.createFile(
            atPath: program,
            contents: Data("#!/bin/sh\necho '{\"missing\":{\"network\":\"Operation not permitted\"}}'\n".utf8),
            attributes: [.posixPermissions: 0o755])
        let outcome = try await ShellTool.run(
            "SPOOL_RENDER_EXECUTABLE='\(program)' '\(SpoolTool.executable)' worker run --store '\(directory.path)' "
                + "--redis-url redis://127.0.0.1:1 --require-sandbox network")
        #expect(outcome.status == 69)
        #expect(
            outcome.errors.hasSuffix(
                "error: the sandbox of rendering processes lacks layers that are required here: network (Operation not "
                    + "permitted); allow them (docs/security.md), or leave them out of --require-sandbox\n"),
            "\(outcome.errors)")
    }
}
