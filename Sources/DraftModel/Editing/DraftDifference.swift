package import FoundationEssentials

/// The difference of two draft documents: the changes that make the second one of the first.
///
/// Elements of arrays are matched by their content, and those that differ by their `id`, or without one by their `url` or
/// `type`, so that a clip that is inserted at the front is one change.
package struct DraftDifference: Sendable {
    package struct Change: Equatable, Sendable {
        /// The operation of a JSON Patch (RFC 6902).
        package enum Kind: String, Sendable { case add, remove, replace }

        package let kind: Kind
        /// The place in the first document, as in `mainTrackClips[3].volume`; empty for the whole document. What is added
        /// to an array comes before the element at this place.
        package let place: String
        /// The value before, as JSON; nil for what is added.
        package let before: String?
        /// The value afterwards, as JSON; nil for what is removed.
        package let after: String?

        let pointer: JSONPointer
        let value: JSONValue?
    }

    /// The changes in the order of the first document.
    package let changes: [Change]

    /// - Throws: `DraftError` where one of the documents is no JSON.
    package init(from first: Data, to second: Data) throws {
        var comparison = DocumentComparison()
        comparison.compare(try JSONValue.parse(first), try JSONValue.parse(second), at: [])
        changes = comparison.changes
    }

    /// The changes as a JSON Patch (RFC 6902), which makes the second document of the first.
    package func patch() throws -> Data {
        // An element's index holds as long as nothing in front of it has changed.
        let operations = changes.reversed().map { change in
            var members: [String: JSONValue] = [
                "op": .string(change.kind.rawValue), "path": .string(change.pointer.description),
            ]
            members["value"] = change.value
            return JSONValue.object(members)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(operations)
    }
}

/// Compares two documents from their roots to their leaves.
private struct DocumentComparison {
    /// An element of an array, and a member of an object.
    enum Step {
        case index(Int)
        case member(String)
    }

    private(set) var changes: [DraftDifference.Change] = []

    mutating func compare(_ first: JSONValue, _ second: JSONValue, at path: [Step]) {
        switch (first, second) {
        case (.object(let before), .object(let after)):
            for name in Set(before.keys).union(after.keys).sorted() {
                let place = path + [.member(name)]
                switch (before[name], after[name]) {
                case (let old?, let new?): compare(old, new, at: place)
                case (let old?, nil): note(.remove, place, old, nil)
                case (nil, let new): note(.add, place, nil, new)
                }
            }
        case (.array(let before), .array(let after)):
            for pair in ElementMatching(before, after).pairs {
                switch pair {
                case .both(let index, let other): compare(before[index], after[other], at: path + [.index(index)])
                case .first(let index): note(.remove, path + [.index(index)], before[index], nil)
                case .second(let other, let index): note(.add, path + [.index(index)], nil, after[other])
                }
            }
        default:
            if first != second { note(.replace, path, first, second) }
        }
    }

    private mutating func note(_ kind: DraftDifference.Change.Kind, _ path: [Step], _ old: JSONValue?, _ new: JSONValue?) {
        changes.append(
            DraftDifference.Change(
                kind: kind, place: DocumentComparison.place(path), before: old.map(\.compactText), after: new.map(\.compactText),
                pointer: JSONPointer(names: path.map(DocumentComparison.name)), value: new))
    }

    private static func name(_ step: Step) -> String {
        switch step {
        case .index(let index): "\(index)"
        case .member(let name): name
        }
    }

    private static func place(_ path: [Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            }
        }
    }
}

/// Pairs the elements of two arrays that belong together, in the order of the first array.
private struct ElementMatching {
    enum Pair: Equatable {
        /// The element is in both arrays, at these indexes.
        case both(Int, Int)
        /// The element is in the first array alone.
        case first(Int)
        /// The element is in the second array alone, before the element of the first array at the index `before`.
        case second(Int, before: Int)
    }

    private(set) var pairs: [Pair] = []

    /// The most pairs of elements that are compared; longer differences are matched by their order.
    private static let mostPairs = 4_000_000

    init(_ first: [JSONValue], _ second: [JSONValue]) {
        match(first.map(\.compactText), second.map(\.compactText), 0..<first.count, 0..<second.count) { this, one, two in
            // Elements with different contents are matched by their `id`, `url` or `type`.
            let names = (first[one].map(\.identity), second[two].map(\.identity))
            this.match(names.0, names.1, one, two) { this, one, two in
                one.forEach { this.pairs.append(.first($0)) }
                two.forEach { this.pairs.append(.second($0, before: one.upperBound)) }
            }
        }
    }

    /// Matches equal texts in their order, and calls `rest` for the ranges between two matches.
    /// - Parameters:
    ///   - texts: of the elements in the ranges, or of whole arrays.
    private mutating func match(
        _ texts: [String], _ others: [String], _ one: Range<Int>, _ two: Range<Int>,
        rest: (inout ElementMatching, Range<Int>, Range<Int>) -> Void
    ) {
        func text(_ index: Int) -> String { texts[index - one.lowerBound] }
        func other(_ index: Int) -> String { others[index - two.lowerBound] }
        var (start, end) = ((one.lowerBound, two.lowerBound), (one.upperBound, two.upperBound))
        while start.0 < end.0, start.1 < end.1, text(start.0) == other(start.1) {
            pairs.append(.both(start.0, start.1))
            start = (start.0 + 1, start.1 + 1)
        }
        while start.0 < end.0, start.1 < end.1, text(end.0 - 1) == other(end.1 - 1) { end = (end.0 - 1, end.1 - 1) }
        var (here, there) = start
        for (index, match) in ElementMatching.common(
            (start.0..<end.0).map(text), (start.1..<end.1).map(other)
        ).map({ ($0.0 + start.0, $0.1 + start.1) }) {
            if here < index || there < match { rest(&self, here..<index, there..<match) }
            pairs.append(.both(index, match))
            (here, there) = (index + 1, match + 1)
        }
        if here < end.0 || there < end.1 { rest(&self, here..<end.0, there..<end.1) }
        pairs += zip(end.0..<one.upperBound, end.1..<two.upperBound).map { .both($0, $1) }
    }

    /// The indexes of a longest common subsequence.
    private static func common(_ first: [String], _ second: [String]) -> [(Int, Int)] {
        guard !first.isEmpty, !second.isEmpty else { return [] }
        guard first.count * second.count <= mostPairs else {
            return zip(first.indices, second.indices).filter { first[$0] == second[$1] }
        }
        let width = second.count + 1
        // The length of the longest common subsequence of what follows from two indexes on.
        var lengths = [Int32](repeating: 0, count: (first.count + 1) * width)
        for index in first.indices.reversed() {
            for other in second.indices.reversed() {
                lengths[index * width + other] =
                    first[index] == second[other]
                    ? lengths[(index + 1) * width + other + 1] + 1
                    : max(lengths[(index + 1) * width + other], lengths[index * width + other + 1])
            }
        }
        var found: [(Int, Int)] = []
        var (index, other) = (0, 0)
        while index < first.count, other < second.count {
            if first[index] == second[other] {
                found.append((index, other))
                (index, other) = (index + 1, other + 1)
            } else if lengths[(index + 1) * width + other] >= lengths[index * width + other + 1] {
                index += 1
            } else {
                other += 1
            }
        }
        return found
    }
}

extension JSONValue {
    /// The value as JSON in one line, with sorted members.
    fileprivate var compactText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A number that has no decimal form stays as it is written in the document.
        guard let data = try? encoder.encode(self) else { return "\(self)" }
        return String(decoding: data, as: UTF8.self)
    }

    /// By what an element of an array is the same element after a change.
    fileprivate var identity: String {
        guard case .object(let members) = self else { return kind }
        return ["id", "url", "type"].compactMap { name in members[name].map { "\(name) \($0.compactText)" } }.first ?? kind
    }
}
