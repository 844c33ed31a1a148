import ArtifactStore
import ExportPlan
import FoundationEssentials
import Glibc

/// Prepares a tenant's directory of artifacts for rendering processes. They write into it, so it has to exist, and to
/// be theirs where they run as another user than the worker.
struct TenantDirectory {
    let directory: FarmDirectory
    let tenant: Int64
    let owner: RenderUser?

    /// Makes the directory where it is missing, but never in the place of a store that is away.
    /// - Parameter isFirst: whether to check all of its folders, which an earlier version may have made as root.
    /// - Throws: `ArtifactError`, class `storage`.
    func prepare(isFirst: Bool) throws {
        try directory.marker.check()
        let path = directory.artifacts(ofTenant: tenant)
        try make(directory.tenants)
        for folder in [path, path + "/tmp"] {
            try make(folder)
            try handOver(folder)
        }
        guard isFirst, owner != nil else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []  // the directory is new
        for name in names where name.utf8.count == 2 { try handOver("\(path)/\(name)") }
    }

    private func make(_ path: String) throws {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw ArtifactError(.cannotWrite, subject: path, message: "cannot be made: \(String(cString: strerror(errno)))")
    }

    private func handOver(_ path: String) throws {
        guard let owner else { return }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }  // gone meanwhile: the next use reports it
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid != owner.userID else { return }
        guard lchown(path, owner.userID, owner.groupID) == 0 else {
            throw ArtifactError(
                .cannotWrite, subject: path,
                message: "cannot be given to user \(owner.userID), whom rendering processes run as: "
                    + "\(String(cString: strerror(errno))); run the worker as the user who owns the store instead of as root")
        }
    }
}
