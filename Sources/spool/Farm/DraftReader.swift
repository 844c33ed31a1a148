import BlockingWork

/// Reads the drafts of a command line on a thread of its own: reading standard input may wait for as long as the program
/// at its other end likes.
actor DraftReader {
    private let thread = BlockingThread(name: "drafts")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private var inputs: DraftInputs

    /// - Throws: `CommandFailure`; see `DraftInputs`.
    init(_ arguments: [String]) throws {
        inputs = try DraftInputs(arguments)
    }

    func next() -> DraftInputs.Input? { inputs.next() }
}
