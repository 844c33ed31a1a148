import DraftModel
import ExportPlan
import FarmAPI
import FarmClient
import FoundationEssentials
import JobQueue
import Operations
import Streaming
import TextRendering

/// Readers of what strangers send, and of files that rendering processes write. Each gets any bytes: it may refuse them, but must not crash, hang or take much
/// memory, and what it has read it must read again in the same way after writing it.
enum FuzzTarget: String, CaseIterable {
    case draft, patch, expressions, recording, path, cube, captions, events, tickets, submissions, rows, fragments

    func run(_ bytes: [UInt8]) {
        let data = Data(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .draft:
            let first = Draft.read(data)
            precondition(Draft.read(data).diagnostics == first.diagnostics, "a draft is read differently the second time")
            _ = Draft.fields(in: data)
        case .patch:
            // The fuzzer's bytes are the patch and the document, divided by the first zero.
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let document = parts.count == 2 ? Data(parts[1]) : Data(FuzzTarget.document.utf8)
            guard let patch = try? DraftPatch(Data(parts[0])) else { return }  // refused, as it may be
            _ = try? patch.apply(to: document)
        case .expressions:
            guard let quoted = try? JSONEncoder().encode(text) else { return }
            let document = """
                {"version": 1, "mainTrackClips": [{"type": "image", "url": "b.png", "when": \(String(decoding: quoted, as: UTF8.self))}]}
                """
            let values = ["lang": "de", "price": "9.5", "empty": "", "n": "3"]
            let first = Draft.read(Data(document.utf8), parameters: values)
            let second = Draft.read(Data(document.utf8), parameters: values)
            precondition(first.diagnostics == second.diagnostics, "an expression is read differently the second time")
        case .recording: _ = RecordingSettings.read(data)
        case .path: _ = try? VectorPath(svg: text)
        case .cube:
            _ = CubeFile.isBegun(by: text)
            _ = try? CubeFile.table(from: bytes, subject: "fuzz.cube")
        case .captions:
            for format in [CaptionFormat.srt, .webvtt, .ass] { _ = try? CaptionFile(text, format, subject: "fuzz") }
        case .events:
            var whole = ServerSentEventParser()
            var halves = ServerSentEventParser()
            let events = whole.add(bytes)
            let parts = halves.add(bytes.prefix(bytes.count / 2)) + halves.add(bytes.dropFirst(bytes.count / 2))
            precondition(events == parts, "events depend on how their bytes arrive")
        case .tickets:
            check(JobTicket.self, bytes)
            check(JobReport.self, bytes)
            check(RenderOrder.self, bytes)
            _ = try? MessageLine.decode(ChildReport.self, bytes)
        case .submissions:
            _ = try? ExportSubmission(body: data)
            _ = try? BatchSubmission(body: data)
        case .rows: for format in RowFile.Format.allCases { _ = try? RowFile.read(data, as: format) }
        case .fragments:
            let size = 1 << 20
            guard let track = try? MovieTrack(index: bytes, fileSize: size) else { return }
            precondition(track.samples.allSatisfy { $0.place.upperBound <= size }, "a sample lies behind the end of the file")
            _ = CodecName.name(of: track)
            _ = MovieHeader(of: track).bytes
        }
    }

    private func check<Message: Codable & Equatable>(_ type: Message.Type, _ bytes: [UInt8]) {
        // A message that is refused, or that has a number which JSON cannot write, ends here.
        guard let message = try? MessageLine.decode(type, bytes), let line = try? MessageLine.encode(message) else { return }
        guard let again = try? MessageLine.decode(type, line) else {
            preconditionFailure("a \(type) that was read and written cannot be read again")
        }
        // Two values with NaN differ from themselves.
        precondition(again == message || message != message, "a \(type) changes when it is written")
    }

    private static let document = """
        {"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4"}, {"type": "image", "url": "b.png", "duration": 2}]}
        """
}

/// The reader that `SPOOL_FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["SPOOL_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("SPOOL_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
