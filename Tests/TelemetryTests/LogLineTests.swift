import Logging
import Telemetry
import Testing
import FoundationEssentials

@Suite("A line of the log in JSON")
struct LogLineTests {
    private struct Fields: Decodable {
        var time: String
        var level: String
        var process: String
        var message: String
        var export: String?
        var job: Int?
        var attempt: Int?
        var error: String?
    }

    private func read(_ line: LogLine) throws -> Fields {
        try JSONDecoder().decode(Fields.self, from: Data(line.text.utf8))
    }

    @Test("It has time, level, process and message, and the ids of export, job and attempt")
    func fields() throws {
        let line = LogLine(
            process: "worker", level: .warning, message: "a job failed",
            metadata: ["export": "e-1", "job": "12", "attempt": "3"], at: Date(timeIntervalSince1970: 1_700_000_000.25))
        #expect(
            line.text
                == #"{"time":"2023-11-14T22:13:20.250000Z","level":"warning","process":"worker","message":"a job failed","#
                + #""attempt":3,"export":"e-1","job":12}"# + "\n")
        let fields = try read(line)
        #expect(fields.job == 12 && fields.attempt == 3 && fields.export == "e-1")
    }

    @Test("Whatever a message has, it stays one line of JSON without control characters, and means the same")
    func hostileMessage() throws {
        let hostile = "a\nb\r\u{0}\u{1B}[31m\"}\\\u{7F}\u{85}\u{9B}\u{2028}\u{2029}\u{202E}é\u{1F3AC}"
        let line = LogLine(process: "worker", level: .info, message: hostile, metadata: ["label\n\"": .string(hostile)])
        #expect(line.text.filter { $0 == "\n" }.count == 1 && line.text.hasSuffix("}\n"))
        #expect(line.text.dropLast().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(try read(line).message == hostile)
    }

    @Test("A long message is cut, and says so")
    func longMessage() throws {
        let message = try read(LogLine(process: "p", level: .info, message: String(repeating: "x", count: 1_000_000))).message
        #expect(message.count < 20_000 && message.hasSuffix("(cut)"))
    }

    @Test("Metadata cannot stand for the line's own fields, and nested metadata is nested JSON")
    func metadata() throws {
        let line = LogLine(
            process: "p", level: .error, message: "m",
            metadata: ["level": "info", "message": "other", "job": "no number", "list": ["a", ["b": "c"]]],
            error: CancellationError())
        #expect(line.text.contains(#""metadata.level":"info","metadata.message":"other"}"#))
        #expect(line.text.contains(#""job":"no number","list":["a",{"b":"c"}]"#))
        #expect(line.text.contains(#""message":"m","error":"CancellationError()","#))
    }
}
