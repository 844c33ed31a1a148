import DraftModel
import TestSupport
import Testing
import FoundationEssentials

/// Differences of drafts: each is a patch that makes the second document of the first.
@Suite("Differences of drafts")
struct DraftDifferenceTests {
    private func difference(_ first: String, _ second: String) throws -> DraftDifference {
        try DraftDifference(from: Data(first.utf8), to: Data(second.utf8))
    }

    /// The first document with the patch of the difference applied, and the second document, both in the same form.
    private func results(_ first: String, _ second: String) throws -> (String, String) {
        let patch = try DraftPatch(try difference(first, second).patch())
        let same = try DraftPatch(Data("[]".utf8))
        return (
            String(decoding: try patch.apply(to: Data(first.utf8)), as: UTF8.self),
            String(decoding: try same.apply(to: Data(second.utf8)), as: UTF8.self)
        )
    }

    @Test(
        "A change is at its place, with the values before and afterwards",
        arguments: [
            (#"{"a": 1}"#, #"{"a": 2}"#, ["replace a 1 2"]),
            (#"{"a": {"b": [1, 2]}}"#, #"{"a": {"b": [1, 2]}}"#, []),
            (#"{"a": {"b": true}}"#, #"{"a": {"b": false, "c": null}}"#, ["replace a.b true false", "add a.c - null"]),
            (#"{"a": "x", "b": 0.5}"#, #"{"b": 0.50}"#, [#"remove a "x" -"#]),
            (#"[1, 2, 3]"#, #"[0, 1, 3]"#, ["add [0] - 0", "remove [1] 2 -"]),
            (
                #"{"c": [{"id": "x", "v": 1}, {"id": "y"}]}"#, #"{"c": [{"id": "n"}, {"id": "x", "v": 2}, {"id": "y"}]}"#,
                [#"add c[0] - {"id":"n"}"#, "replace c[0].v 1 2"]
            ),
            (#"{"c": [{"url": "a", "v": 1}, {"url": "b"}]}"#, #"{"c": [{"url": "b"}]}"#, [#"remove c[0] {"url":"a","v":1} -"#]),
            (#"[1]"#, #"{"a": 1}"#, [#"replace  [1] {"a":1}"#]),
        ])
    func changes(first: String, second: String, expected: [String]) throws {
        let found = try difference(first, second).changes
        #expect(found.map { "\($0.kind.rawValue) \($0.place) \($0.before ?? "-") \($0.after ?? "-")" } == expected)
        let (patched, wanted) = try results(first, second)
        #expect(patched == wanted)
    }

    @Test("A clip that is inserted, one that is removed and one that is changed among a thousand are three changes")
    func long() throws {
        func draft(_ clips: [Int: String], count: Int = 1000) -> String {
            let all = (0..<count).map {
                clips[$0] ?? #"{"type": "av", "url": "a.mp4", "timeRange": {"start": \#($0), "duration": 2}}"#
            }
            return #"{"version": 1, "mainTrackClips": [\#(all.filter { !$0.isEmpty }.joined(separator: ","))]}"#
        }
        let first = draft([:])
        let second = draft([
            0: #"{"type": "image", "url": "i.png"}, {"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": 2}}"#,
            400: "", 700: #"{"type": "av", "url": "a.mp4", "timeRange": {"start": 700, "duration": 1.5}}"#,
        ])
        #expect(
            try difference(first, second).changes.map(\.place) == [
                "mainTrackClips[0]", "mainTrackClips[400]", "mainTrackClips[700].timeRange.duration",
            ])
        let (patched, wanted) = try results(first, second)
        #expect(patched == wanted)
    }

    @Test("The patch of random differences makes the second document of the first")
    func random() throws {
        var numbers = RandomNumbers(seed: 11)
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 3 ? 3 : 6), using: &numbers) {
            case 0: "\(Int.random(in: 0..<4, using: &numbers))"
            case 1: ["true", "null", #""/~""#].randomElement(using: &numbers) ?? "null"
            case 2: #""\#(Int.random(in: 0..<3, using: &numbers))""#
            case 3, 4:
                "[" + (0..<Int.random(in: 0..<6, using: &numbers)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
            default:
                "{"
                    + ["id", "url", "a/b", "~"].filter { _ in Bool.random(using: &numbers) }
                    .map { #""\#($0)":\#(value(depth + 1))"# }.joined(separator: ",") + "}"
            }
        }
        for _ in 0..<2_000 {
            let (first, second) = (value(0), value(0))
            let (patched, wanted) = try results(first, second)
            #expect(patched == wanted, "\(first) to \(second)")
        }
    }
}
