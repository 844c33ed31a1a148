public import ExportPlan

/// What the rendering process tells its parent: one `ChildReport` a line on standard output. The parent writes one
/// `RenderOrder` a line on the child's standard input, the next one when the last has ended.
public enum ChildMessage: Sendable, Codable {
    /// Frames of the current job that are done; of a sound blocks, of a probe pieces read.
    case progress(done: Int)
    case finished(result: JobResult)
    case failed(failure: JobFailure)

    /// What the process writes to standard error, on a line of its own, when a job is over and before it says so on standard
    /// output: so no line of a log is taken for another job's. The ASCII character "record separator".
    public static let endOfLog = "\u{1E}"
}
