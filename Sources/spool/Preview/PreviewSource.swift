import CommandLineInterface
import DraftModel
import ExportPlan
import RenderingProcesses
import FoundationEssentials

/// Prepares the draft of a preview, and again whenever a file changes that it reads.
struct PreviewSource: Sendable {
    /// The time between two looks at the files. A file counts as written when two looks show the same.
    private static let interval = Duration.milliseconds(60)
    /// The settings of all previews, whatever the film's are: what browsers play, encoded fast.
    private static let settings = ["fileType": "mp4", "encoderSpeed": "superfast", "videoQuality": "24"]

    private let options: DraftOptions
    private let work: WorkOptions
    private let height: Int?
    private let cacheLimit: Int64?

    init(_ options: DraftOptions, _ work: WorkOptions, height: Int?, cacheLimit: Int64?) {
        self.options = options
        self.work = work
        self.height = height
        self.cacheLimit = cacheLimit
    }

    /// Runs until its task is cancelled.
    /// - Throws: `CancellationError`, or a failure that no change of a file can mend.
    func follow(_ session: PreviewSession) async throws {
        let files = WatchedFiles(options)
        let pool = try work.pool()
        var last: PreviewVersion?
        while true {
            // Taken before the draft is read, so that no change is missed.
            let before = files.now()
            do {
                let version = try await prepare(after: last, pool)
                last = version
                try await session.show(version)
            } catch let failure as CommandFailure where failure.status != ExitStatus.usage {
                try await session.show(failure)
            }
            try await change(of: before)
        }
    }

    private func prepare(after last: PreviewVersion?, _ pool: ChildPool) async throws -> PreviewVersion {
        let (document, folder) = try DraftPreparation.readDraft(options.draft)
        let prepared = try await DraftPreparation(
            document, in: folder, parameters: try options.export.parameterValues(), settings: PreviewSource.settings,
            allowedDirectories: options.allowedDirectories, remotes: try options.remote.policy(), work, cacheLimit: cacheLimit,
            pool: pool)
        // The size stays, so that what has been rendered is of use.
        let kept = last.flatMap { $0.prepared.composition.canvas == prepared.composition.canvas ? $0.proxy : nil }
        return PreviewVersion(prepared, keeping: kept, height: height, slots: work.slots)
    }

    /// Waits for a change, and until what changes has been written.
    private func change(of before: FileStates) async throws {
        while true {
            try await Task.sleep(for: PreviewSource.interval)
            var now = before.again
            guard now != before else { continue }
            while true {
                try await Task.sleep(for: PreviewSource.interval)
                let next = before.again
                if next == now { return }
                now = next
            }
        }
    }
}
