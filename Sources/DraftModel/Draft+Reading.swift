import ExactTime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// From JSON to a draft: parse, fill in the merge fields, read every field, report every fault.
extension Draft {
    /// Reads a draft and goes on past every fault.
    ///
    /// - Parameters:
    ///   - data: the JSON document.
    ///   - parameters: values for merge fields, by name; they go before those in the draft's own `parameters`.
    /// - Returns: the draft as far as it can be read (nil when it is not a JSON object), and all that is wrong with it.
    ///   It may only be rendered when there are no diagnostics.
    public static func read(_ data: Data, parameters: [String: String] = [:]) -> (draft: Draft?, diagnostics: [DraftDiagnostic]) {
        let found = DiagnosticCollector.reading { collector -> Draft? in
            let document = try JSONValue.parse(data)
            let filled = fillInParameters(document, overrides: parameters, collector: collector)
            guard var reader = ObjectReader(filled, path: "", collector: collector) else {
                return nil
            }
            let draft = Draft(&reader)
            reader.finish()
            return draft
        }
        return (found.value, found.diagnostics)
    }

    init(_ reader: inout ObjectReader) {
        self.init()
        if let version = reader.integer("version", in: 0...Int(Int32.max), required: true), version != 1 {
            reader.report("version", .unsupported, "version \(version) is not known; this is version 1")
        }
        id = reader.string("id")
        title = reader.string("title")
        metadata = reader.stringMap("metadata")
        videoSize = reader.object("videoSize") { PixelSize(&$0) }
        frameRate = reader.rational("frameRate", in: .one...Rational(240)).flatMap(FrameRate.init)
        background = reader.object("background") { Background(&$0) }
        timeRange = reader.object("timeRange") { TimeRange(&$0) }
        layers = reader.array("layers") { DraftLayer(&$0) }
        mainTrackClips = reader.array("mainTrackClips", required: layers?.isEmpty != false) { MainTrackClip(&$0) } ?? []
        audioClips = reader.array("audioClips") { AudioClip(&$0) }
        effects = reader.array("effects") { Effect(&$0) }
        fonts = reader.array("fonts") { font in font.string("url", required: true).map(DraftFont.init) }
        audio = reader.object("audio") { DraftAudio(&$0) }
        chapters = reader.chapters("chapters")
        cover = reader.object("cover") { cover in cover.string("url", required: true).map(DraftCover.init) }
        creationTime = reader.instant("creationTime")
        _ = reader.value("parameters")  // already filled in
    }
}

extension Draft: Decodable {
    /// - Throws: `DraftError` with every diagnostic.
    public init(from decoder: any Decoder) throws {
        let collector = DiagnosticCollector()
        let document = fillInParameters(try JSONValue(from: decoder), overrides: [:], collector: collector)
        guard var reader = ObjectReader(document, path: "", collector: collector) else {
            throw DraftError(collector.diagnostics)
        }
        self.init(&reader)
        reader.finish()
        guard collector.diagnostics.errors.isEmpty else { throw DraftError(collector.diagnostics) }
    }
}

extension ObjectReader {
    mutating func stringMap(_ name: String) -> [String: String]? {
        guard let value = value(name) else { return nil }
        guard case .object(let members) = value else {
            report(name, .wrongType, "must be an object of strings, not \(value.kind)")
            return nil
        }
        var result: [String: String] = [:]
        for (key, member) in members.sorted(by: { $0.key < $1.key }) where member != .faulty {
            guard let text = member.text else {
                report("\(name).\(key)", .wrongType, "must be a string, not \(member.kind)")
                continue
            }
            result[key] = text
        }
        return result
    }
}
