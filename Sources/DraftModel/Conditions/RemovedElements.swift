/// The elements that conditions removed from a draft's arrays.
///
/// The places of a draft that was read are counted without them, and diagnostics name places as the document has them.
/// Without removed elements both are the same.
package struct RemovedElements: Hashable, Sendable {
    /// The indexes of the removed elements, rising, by the path of their array in the document.
    private var indexes: [String: [Int]] = [:]

    package init() {}

    package var isEmpty: Bool { indexes.isEmpty }

    /// Adds an element. Elements of one array are added in rising order.
    /// - Parameter array: the path of the array in the document.
    mutating func add(_ index: Int, of array: String) { indexes[array, default: []].append(index) }

    /// The same, with all elements of an array removed but one.
    /// - Parameters:
    ///   - kept: the element's index among those that were not removed, `count` of them.
    ///   - array: the path of the array.
    func removingAll(but kept: Int, of count: Int, in array: String) -> RemovedElements {
        var result = self
        var all = indexes[array] ?? []
        let written = all.reduce(kept) { $1 <= $0 ? $0 + 1 : $0 }
        all = (0..<(count + all.count)).filter { $0 != written }
        result.indexes[array] = all.isEmpty ? nil : all
        return result
    }

    /// The path in the document of a place in the draft that was read.
    package func written(_ path: String) -> String {
        isEmpty ? path : translated(path, writes: true)
    }

    /// The path in the draft that was read of a place in the document. The place is not a removed one.
    package func kept(_ path: String) -> String {
        isEmpty ? path : translated(path, writes: false)
    }

    private func translated(_ path: String, writes: Bool) -> String {
        // What has been passed, as the document has it and as the result has it.
        var (document, result) = ("", "")
        var rest = Substring(path)
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]"),
            let index = Int(rest[rest.index(after: open)..<close])
        {
            document += rest[..<open]
            result += rest[..<open]
            let removed = indexes[document] ?? []
            let kept = index - removed.count { $0 < index }
            var written = index
            for other in removed where other <= written { written += 1 }
            document += "[\(writes ? written : index)]"
            result += "[\(writes ? written : kept)]"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
