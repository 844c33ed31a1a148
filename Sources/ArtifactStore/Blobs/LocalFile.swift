import BlockingWork
import ExportPlan

/// A file that is written while it is downloaded, on a thread of its own.
package actor LocalFile {
    private let thread = BlockingThread(name: "download")
    private let file: CheckedFile

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Throws: `BlobError` `cannotWrite`, also where there is a file of this name.
    package init(creating path: String) throws(BlobError) {
        file = try CheckedFile(creating: path)
    }

    /// Begins again with no bytes.
    package func restart() throws(BlobError) { try file.restart() }

    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try file.write($0) }
    }

    /// Waits until the bytes are on the disk.
    /// - Returns: the sha256 of all bytes.
    package func finish() throws(BlobError) -> String { try file.finish().hash }

    package func remove() { file.remove() }
}
