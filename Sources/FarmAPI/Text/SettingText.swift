import FoundationEssentials

/// A setting's value in a request's body: a text, number or boolean of JSON, kept as text.
///
/// Equal values give equal texts, however they are written: `20`, `20.0` and `2e1` all become `20`.
package struct SettingText: Decodable, Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // Decoding throws for each kind of value that does not match, so at most one of these succeeds.
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let isOn = try? value.decode(Bool.self) {
            text = isOn ? "true" : "false"
        } else if let number = try? value.decode(Decimal.self), number.isFinite {
            text = "\(number)"
        } else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "a setting is a text, a number or true or false")
        }
    }
}
