import LocalFarm
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The user that servers and rendering processes of this machine run as.
@Suite("A user without rights")
struct UnprivilegedUserTests {
    private let directory: TemporaryDirectory
    /// A user whom no file belongs to.
    private let user = UnprivilegedUser(name: "stranger", userID: 2_000_000_001, groupID: 2_000_000_001)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func message(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: LocalServerError.self) { try body() }
        return error?.description
    }

    @Test("reaches what every directory on the way lets it into, and what does not exist yet")
    func reached() throws {
        chmod(directory.path, 0o711)
        try user.checkReaches(directory.file("postgres/data"))
    }

    @Test("is refused with the directory that is closed to it, and with what to do")
    func closed() throws {
        let closed = directory.file("closed")
        try FileManager.default.createDirectory(atPath: closed + "/postgres", withIntermediateDirectories: true)
        chmod(directory.path, 0o711)
        chmod(closed, 0o700)
        #expect(
            message { try user.checkReaches(closed + "/postgres") }
                == "the servers run as user 'stranger', who may not enter '\(closed)'; choose another --directory")
        #expect(
            message { try user.checkReaches(closed, who: "rendering processes", remedy: "choose another store") }
                == "rendering processes run as user 'stranger', who may not enter '\(closed)'; choose another store")
        // The same directory by a path that is relative to the current one.
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let relative = String(repeating: "../", count: depth) + closed.dropFirst()
        #expect(message { try user.checkReaches(relative) }?.contains("\(closed)'; choose another --directory") == true)
    }

    @Test("is not given a file that is not there")
    func owning() {
        let file = directory.file("nothing")
        #expect(
            message { try user.own(file) }
                == "'\(file)' cannot be given to user 'stranger': No such file or directory")
    }

    @Test("is none that is root or does not exist")
    func renderers() throws {
        guard geteuid() == 0 else { return print("not tested: only root can become another user") }
        #expect(
            message { _ = try UnprivilegedUser.forRenderers(named: "root") }
                == "rendering processes must not run as root; name another user with --render-user")
        #expect(
            message { _ = try UnprivilegedUser.forRenderers(named: "no-such-user") }
                == "rendering processes do not run as root, and there is no user 'no-such-user' to run them as; create one with: "
                + "useradd --system --no-create-home spool-render")
    }
}
