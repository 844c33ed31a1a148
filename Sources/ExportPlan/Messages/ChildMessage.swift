/// A message from the rendering process to its parent. The process writes one `ChildReport` per line to standard
/// output. The parent writes one `RenderOrder` per line to the process's standard input, the next one when the previous
/// job has ended.
package enum ChildMessage: Sendable, Codable {
    /// The number of finished frames of the current job, or of blocks of a sound, or of chunks read by a probe.
    case progress(done: Int)
    case finished(result: JobResult)
    case failed(failure: JobFailure)

    /// The line that the process writes to standard error when a job has ended, before it reports that on standard
    /// output, so that no log line is attributed to another job. It is the ASCII character "record separator".
    package static let endOfLog = "\u{1E}"
}
