import FarmClient

extension FarmOptions {
    /// Fetches a file of the farm, and says how large it is.
    /// - Parameters:
    ///   - output: the file to write.
    ///   - fetch: told whom to tell the bytes so far and in all; returns their number.
    ///   - record: what is printed as JSON.
    func download(
        to output: String, _ fetch: (FarmClient, _ progress: (_ done: Int, _ total: Int) -> Void) async throws -> Int,
        record: (_ bytes: Int) -> some Encodable
    ) async throws {
        var drawn = -1
        let count = try await fetch(try client()) { done, total in
            let percent = total > 0 ? done * 100 / total : 0
            guard Terminal.isInteractive, percent != drawn else { return }
            drawn = percent
            Terminal.status("\r\u{1B}[K\(percent) %  \(Phrase.bytes(Int64(done))) of \(Phrase.bytes(Int64(total)))")
        }
        if Terminal.isInteractive { Terminal.status("\r\u{1B}[K") }
        if json { try Terminal.printJSON(record(count)) } else { print("\(output): \(Phrase.bytes(Int64(count)))") }
    }
}
