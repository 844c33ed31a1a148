/// An option that an encoder is opened with.
package struct EncoderOption: Hashable, Sendable {
    /// Where the value comes from.
    package enum Value: Hashable, Sendable {
        case fixed(String)
        /// The name of libx264's preset itself.
        case speedName
        /// The encoder's own number for the presets of libx264, and the one for all presets that are not listed.
        case speed([String: String], otherwise: String)

        var dependsOnSpeed: Bool {
            switch self {
            case .fixed: false
            case .speedName, .speed: true
            }
        }
    }

    /// The name in libavcodec.
    package var name: String
    package var value: Value

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// The value as libavcodec takes it.
    /// - Parameter speed: a preset name of libx264.
    package func text(forSpeed speed: String) -> String {
        switch value {
        case .fixed(let text): text
        case .speedName: speed
        case .speed(let values, let otherwise): values[speed] ?? otherwise
        }
    }
}
