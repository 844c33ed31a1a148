import CommandLineInterface
import FarmClient
import Vocabulary

extension FarmOptions {
    /// Downloads a file of the farm and prints its size.
    /// - Parameters:
    ///   - output: the file to write.
    ///   - writing: what happens to an existing file.
    ///   - fetch: downloads the file and returns its size in bytes. It calls `progress` with the bytes so far and in
    ///     all.
    ///   - record: the value that is printed as JSON.
    func download(
        to output: String, _ writing: OutputOptions,
        _ fetch: (FarmClient, _ progress: (_ done: Int, _ total: Int) -> Void) async throws -> Int,
        record: (_ bytes: Int) -> some Encodable
    ) async throws {
        try writing.checkPlace(output)
        var drawn = -1
        let count = try await fetch(try client()) { done, total in
            let percent = total > 0 ? done * 100 / total : 0
            guard Terminal.isInteractive, percent != drawn else { return }
            drawn = percent
            let amount = "\(Phrase.bytes(Int64(done))) of \(Phrase.bytes(Int64(total)))"
            Terminal.show(
                ProgressLine(
                    fraction: Double(percent) / 100,
                    parts: [.init("\(percent) %", importance: 2), .init(amount, importance: 1)]))
        }
        if Terminal.isInteractive { Terminal.clearProgress() }
        if json { try Terminal.printJSON(record(count)) } else { Terminal.print("\(output): \(Phrase.bytes(Int64(count)))") }
    }
}
