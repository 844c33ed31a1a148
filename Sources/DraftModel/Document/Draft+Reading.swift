import ExactTime
package import FoundationEssentials

/// Reads a draft from JSON: it parses the text, fills in the merge fields, reads every field and reports every fault.
extension Draft {
    /// Reads a draft to its end, whatever faults it has.
    ///
    /// - Parameters:
    ///   - data: the JSON document.
    ///   - parameters: values for merge fields, by name. They override those in the draft's own `parameters`.
    /// - Returns: the draft as far as it can be read (nil if it is not a JSON object), and all diagnostics. The draft
    ///   may only be rendered if none of them is an error.
    package static func read(_ data: Data, parameters: [String: String] = [:]) -> (draft: Draft?, diagnostics: [DraftDiagnostic])
    {
        do throws(DraftError) {
            return try DraftTemplate(data).read(parameters: parameters)
        } catch {
            return (nil, error.diagnostics)
        }
    }

    /// The fields that each object of a document may have. They depend on the document; for example, a layer's source
    /// has other fields for each type.
    /// - Returns: the field names by the path of the object, as in diagnostics; empty if the document is not a JSON
    ///   object.
    package static func fields(in data: Data) -> [String: [String]] {
        let collector = DiagnosticCollector(recordsFields: true)
        // A text that is not JSON has no fields.
        guard let document = try? JSONValue.parse(data) else { return [:] }
        let filled = fillInParameters(document, overrides: [:], collector: collector)
        guard var reader = ObjectReader(filled, path: "", collector: collector) else { return [:] }
        _ = Draft(&reader)
        return collector.fields ?? [:]
    }

    init(_ reader: inout ObjectReader) {
        self.init()
        if let version = reader.integer("version", in: 0...Int(Int32.max), required: true), version != 1 {
            reader.report("version", .unsupported, "version \(version) is not known; give 1, which is the only version")
        }
        id = reader.string("id")
        title = reader.string("title", atMost: DraftLimits.titleBytes)
        metadata = reader.stringMap("metadata")
        sourceMetadata = reader.sourceMetadata("sourceMetadata")
        videoSize = reader.object("videoSize") { PixelSize(&$0) }
        frameRate = reader.rational("frameRate", in: .one...Rational(240)).flatMap(FrameRate.init)
        background = reader.object("background") { Background(&$0) }
        timeRange = reader.object("timeRange") { TimeRange(&$0) }
        layers = reader.array("layers", atMost: DraftLimits.layers) { DraftLayer(&$0) }
        mainTrackClips =
            reader.array("mainTrackClips", required: layers?.isEmpty != false, atMost: DraftLimits.clips) { MainTrackClip(&$0) }
            ?? []
        audioClips = reader.array("audioClips", atMost: DraftLimits.audioClips) { AudioClip(&$0) }
        audioTracks = reader.array("audioTracks", atMost: DraftLimits.audioTracks) { DraftAudioTrack(&$0) }
        effects = reader.array("effects", atMost: DraftLimits.effects) { Effect(&$0) }
        fonts = reader.array("fonts", atMost: DraftLimits.fonts) { font in
            font.location("url", required: true).map(DraftFont.init)
        }
        audio = reader.object("audio") { DraftAudio(&$0) }
        chapters = reader.chapters("chapters")
        cover = reader.object("cover") { cover in cover.location("url", required: true).map(DraftCover.init) }
        creationTime = reader.instant("creationTime")
        _ = reader.value("parameters")  // already filled in
    }
}

extension Draft: Decodable {
    /// - Throws: `DraftError` with every diagnostic.
    package init(from decoder: any Decoder) throws {
        let collector = DiagnosticCollector()
        let document = fillInParameters(try JSONValue(from: decoder), overrides: [:], collector: collector)
        guard var reader = ObjectReader(document, path: "", collector: collector) else {
            throw DraftError(collector.diagnostics)
        }
        guard !OtherProgram.owns(reader) else { throw DraftError(collector.diagnostics) }
        self.init(&reader)
        removed = collector.removed
        reader.finish()
        guard !collector.hasErrors else { throw DraftError(collector.diagnostics) }
    }
}

extension ObjectReader {
    mutating func stringMap(_ name: String) -> [String: String]? {
        guard let value = value(name) else { return nil }
        guard case .object(let members) = value else {
            report(name, .wrongType, "must be an object of strings, not \(value.kind)")
            return nil
        }
        let size = members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.text?.utf8.count ?? 0) }
        guard size <= DraftLimits.metadataBytes else {
            report(name, .outOfRange, "may have \(DraftLimits.metadataBytes) bytes, names and values together, not \(size)")
            return nil
        }
        var result: [String: String] = [:]
        for (key, member) in members.sorted(by: { $0.key < $1.key }) where member != .faulty {
            guard let text = member.text else {
                report("\(name).\(key)", .wrongType, "must be a string, not \(member.kind)")
                continue
            }
            guard checked(key, "\(name).\(key)", DraftLimits.nameBytes),
                checked(text, "\(name).\(key)", DraftLimits.metadataBytes)
            else { continue }
            result[key] = text
        }
        return result
    }
}
