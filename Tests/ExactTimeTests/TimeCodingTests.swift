import ExactTime
import TestSupport
import Testing
import FoundationEssentials

@Suite("Times in JSON")
struct TimeCodingTests {
    @Test("Whole values are written as numbers and all others as fractions")
    func format() throws {
        #expect(try json(Rational(5)) == "5")
        #expect(try json(Rational(-1, 3)) == "\"-1/3\"")
        #expect(try json(MediaTime(seconds: 0)) == "0")
        #expect(try json(FrameRate(25)) == "25")
        let range = TimeRange(start: .zero, duration: MediaTime(Rational(1001, 30_000)))
        #expect(try json(range) == #"{"duration":"1001/30000","start":0}"#)
    }

    @Test(
        "A text that is none of these values is refused with its reason",
        arguments: [
            ("\"one half\"", "'one half' is not a fraction"), ("\"1/0\"", "'1/0' is not a fraction"),
        ])
    func noFraction(json: String, reason: String) {
        #expect(self.reason(Rational.self, json) == reason)
        #expect(self.reason(MediaTime.self, json) == reason)
    }

    @Test("A frame rate of zero or less, and an unknown timing function, are refused with their reasons")
    func others() {
        for rate in ["0", "-25", "\"-30000/1001\""] { #expect(reason(FrameRate.self, rate) == "a frame rate is above zero") }
        #expect(reason(TimingFunction.self, "\"easeQuadIn\"") == "'easeQuadIn' is not a timing function")
    }

    /// The reason for which a value cannot be decoded; nil where it can.
    private func reason<Value: Decodable>(_ type: Value.Type, _ json: String) -> String? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(json.utf8))
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test("Values of any size are equal after encoding and decoding")
    func roundTrip() throws {
        var numbers = RandomNumbers(seed: 8)
        for _ in 0..<500 {
            let value = numbers.extremeRational()
            let range = TimeRange(start: MediaTime(value), duration: MediaTime(numbers.extremeRational()))
            #expect(try roundTripped(value) == value)
            #expect(try roundTripped(range) == range)
            let rate = try #require(FrameRate(value.magnitude))
            #expect(try roundTripped(rate) == rate)
        }
    }

    @Test("JSON that is not an exact value is refused", arguments: ["\"x\"", "\"1/0\"", "true", "null", "[1]", "\"\""])
    func refused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Rational.self, from: Data(text.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MediaTime.self, from: Data(text.utf8)) }
    }

    @Test("A frame rate of zero or less is refused", arguments: ["0", "-25", "\"-30000/1001\""])
    func refusedRate(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FrameRate.self, from: Data(text.utf8)) }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func roundTripped<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}
