import ContentHashing
import ExportPlan
import TestSupport
import Testing
import Worker
import FoundationEssentials
import Glibc

@Suite("The verifier of uploaded assets")
struct AssetVerifierTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let hash: String
    private let bytes = Data("the bytes of an asset".utf8)
    private let damaged = Data("the bytes of an asser".utf8)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("asset")
        hash = ContentHash.of(bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test("accepts the right bytes and returns the identity of their file")
    func whole() throws {
        let verifier = AssetVerifier()
        #expect(try verifier.identity(ofAsset: path, hash: hash) == FileIdentity(ofFile: path))
    }

    @Test("reads a file once, and again only when its size, modification time or inode changes")
    func onceForEachState() async throws {
        let verifier = AssetVerifier()
        _ = try verifier.identity(ofAsset: path, hash: hash)
        // Other bytes with the same size, time and inode are not noticed, which shows that the file was not read again.
        try await overwrite("printf 'the bytes of an asser'", keepingTime: true)
        #expect(try verifier.identity(ofAsset: path, hash: hash) == FileIdentity(ofFile: path))
        // A verifier that has not seen the file reads it, whatever its time says.
        let fresh = AssetVerifier()
        #expect(failure { try fresh.identity(ofAsset: path, hash: hash) }?.damagedAsset == hash)
    }

    @Test("notices other bytes behind a new modification time")
    func newTime() async throws {
        let verifier = AssetVerifier()
        _ = try verifier.identity(ofAsset: path, hash: hash)
        let before = try #require(FileIdentity(ofFile: path))
        try await overwrite("printf 'the bytes of an asser'", keepingTime: false)
        let now = try #require(FileIdentity(ofFile: path))
        #expect(now.byteCount == before.byteCount && now.inode == before.inode && now.modified != before.modified)
        try expectDamage(verifier)
    }

    @Test("notices other bytes behind a new size")
    func newSize() async throws {
        let verifier = AssetVerifier()
        _ = try verifier.identity(ofAsset: path, hash: hash)
        let before = try #require(FileIdentity(ofFile: path))
        try await overwrite("printf 'the bytes of an asset and more'", keepingTime: true)
        let now = try #require(FileIdentity(ofFile: path))
        #expect(now.byteCount != before.byteCount && now.inode == before.inode && now.modified == before.modified)
        try expectDamage(verifier)
    }

    @Test("notices other bytes behind a new inode")
    func newInode() async throws {
        let verifier = AssetVerifier()
        _ = try verifier.identity(ofAsset: path, hash: hash)
        let before = try #require(FileIdentity(ofFile: path))
        let other = directory.file("other")
        try damaged.write(to: URL(fileURLWithPath: other))
        #expect(try await ShellTool.run("touch -r '\(path)' '\(other)' && mv '\(other)' '\(path)'").status == 0)
        let now = try #require(FileIdentity(ofFile: path))
        #expect(now.byteCount == before.byteCount && now.inode != before.inode && now.modified == before.modified)
        try expectDamage(verifier)
    }

    @Test("accepts an asset that was uploaded again, and does not remember a failure")
    func uploadedAgain() async throws {
        let verifier = AssetVerifier()
        try await overwrite("printf 'the bytes of an asser'", keepingTime: false)
        try expectDamage(verifier)
        try await overwrite("printf 'the bytes of an asset'", keepingTime: false)
        #expect(try verifier.identity(ofAsset: path, hash: hash) == FileIdentity(ofFile: path))
    }

    @Test("reports a file that is away or cannot be read as a failure of the storage and not of the asset")
    func unreadable() async throws {
        let verifier = AssetVerifier()
        let gone = try #require(failure { try verifier.identity(ofAsset: directory.file("gone"), hash: hash) })
        #expect(gone.failureClass == .storage)
        #expect(gone.message == "cannot be examined in the store; the job is retried")
        #expect(gone.damagedAsset == nil)
        // A directory can be opened, but reading it fails.
        let unreadable = try #require(failure { try verifier.identity(ofAsset: directory.path, hash: hash) })
        #expect(unreadable.failureClass == .storage)
        #expect(unreadable.message.hasPrefix("cannot be read in the store: "), "\(unreadable.message)")
        #expect(unreadable.damagedAsset == nil)
    }

    @Test("reports a file that is written to while it is read as a failure of the storage")
    func written() throws {
        let failure = failure {
            try AssetVerifier().identity(ofAsset: path, hash: hash) { _ = truncate(path, 3) }
        }
        #expect(failure?.failureClass == .storage)
        #expect(failure?.subject == AssetLocation.location(of: hash))
        #expect(failure?.message == "was written to while it was read; the job is retried")
        #expect(failure?.damagedAsset == nil)
    }

    // MARK: -

    /// Writes what a command prints into the asset's file in place.
    private func overwrite(_ command: String, keepingTime: Bool) async throws {
        let kept = directory.file("kept")
        let time = keepingTime ? "-r '\(kept)'" : "-d '2001-01-01 00:00:00.\(Int.random(in: 1...999))'"
        let outcome = try await ShellTool.run("touch -r '\(path)' '\(kept)' && \(command) > '\(path)' && touch \(time) '\(path)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func expectDamage(_ verifier: AssetVerifier) throws {
        let failure = try #require(failure { try verifier.identity(ofAsset: path, hash: hash) })
        #expect(failure.failureClass == .input)
        #expect(failure.subject == AssetLocation.location(of: hash))
        #expect(failure.message == "is damaged in the store; upload it again")
        #expect(failure.damagedAsset == hash)
    }

    private func failure(_ body: () throws -> FileIdentity) -> JobFailure? {
        do {
            _ = try body()
            return nil
        } catch { return error as? JobFailure }
    }
}
