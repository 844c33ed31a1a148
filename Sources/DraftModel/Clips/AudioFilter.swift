package import Vocabulary

/// A filter of a sound: `{"type": "highpass", "frequency": 80}`.
package struct AudioFilter: Hashable, Sendable {
    package var type: AudioFilterKind
    /// For `reverb`: the location of the impulse response.
    package var url: String?
    package var parameters: [String: Double]
    /// For `equalizer` and `echo`: the parameters of each band or echo.
    package var parts: [[String: Double]]?
    /// For `ladspa` and `lv2`.
    package var plugin: AudioPlugin?

    package init(
        type: AudioFilterKind, url: String? = nil, parameters: [String: Double] = [:], parts: [[String: Double]]? = nil
    ) {
        self.type = type
        self.url = url
        self.parameters = parameters
        self.parts = parts
    }
}

extension AudioFilter: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode(type, forKey: MemberName(stringValue: "type"))
        if let url { try container.encode(url, forKey: MemberName(stringValue: "url")) }
        for (name, value) in parameters { try container.encode(value, forKey: MemberName(stringValue: name)) }
        if let parts, let name = type.parts?.name { try container.encode(parts, forKey: MemberName(stringValue: name)) }
        try plugin?.encode(to: encoder)
    }
}

extension AudioFilter {
    init?(_ reader: inout ObjectReader) {
        guard let type = reader.kind("type", AudioFilterKind.self, of: "audio filter", later: []) else { return nil }
        self.init(type: type)
        if type.needsSource { url = reader.location("url", required: true) }
        if type.isPlugin { plugin = AudioPlugin(&reader, hasFile: type == .ladspa) }
        parameters = reader.parameters(type.parameters)
        guard let (name, ofEach) = type.parts else { return }
        parts = reader.array(name, required: true, atMost: DraftLimits.audioFilterParts) { $0.parameters(ofEach) }
        if parts?.isEmpty == true { reader.report(name, .missingField, "is empty; give at least one, or leave the filter out") }
    }
}

extension ObjectReader {
    /// Reads the parameters of an audio filter or of a part of it.
    fileprivate mutating func parameters(_ parameters: [AudioFilterKind.Parameter]) -> [String: Double] {
        var values: [String: Double] = [:]
        for parameter in parameters {
            values[parameter.name] = double(parameter.name, in: parameter.range, required: parameter.standard == nil)
        }
        return values
    }

    /// Reads the audio filters of a clip, a layer or the mix.
    mutating func audioFilters() -> [AudioFilter]? {
        guard let filters = array("audioFilters", atMost: DraftLimits.audioFilters, { AudioFilter(&$0) }),
            count(.operations, filters.reduce(0) { $0 + 1 + ($1.parts?.count ?? 0) }, at: "audioFilters")
        else { return nil }
        return filters
    }
}
