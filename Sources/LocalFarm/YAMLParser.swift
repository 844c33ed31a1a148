import CYaml
import FoundationEssentials

/// A place in a file, as editors count it.
package struct YAMLPosition: Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "line \(line), column \(column)" }
}

/// Why a file could not be read, and where.
package struct YAMLFault: Error, Equatable, CustomStringConvertible {
    /// The kinds of fault.
    package enum Code: Sendable {
        /// The file is not YAML, or more of it than is read here.
        case syntax
        /// The file is YAML, but its top level is not a mapping.
        case notAMapping
    }

    package var code: Code
    /// What is wrong: libyaml's own words where it found the fault.
    package var problem: String
    package var position: YAMLPosition

    package init(_ code: Code, _ problem: String, at position: YAMLPosition) {
        self.code = code
        self.problem = problem
        self.position = position
    }

    package var description: String { "\(position): \(problem)" }
}

/// One step of a YAML file as libyaml's parser reports it, copied into Swift.
struct YAMLEvent {
    /// The kinds of event. An anchor is the name after `&`, an alias the name after `*`.
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, anchor: String?)
        case sequenceStart(anchor: String?)
        case mappingStart(anchor: String?)
        case sequenceEnd, mappingEnd
    }

    var kind: Kind
    /// Where the event begins.
    var position: YAMLPosition
}

/// Owns one parser of libyaml and the bytes that it reads, and frees both once. `YAMLMapping` calls it. An event of
/// libyaml lives only within `next()`, which frees it on every path.
struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter data: UTF-8, with or without a byte order mark. Other encodings are faults of the first `next()`.
    /// - Throws: `YAMLFault` when there is no memory for the parser.
    init(_ data: Data) throws {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLFault(.syntax, "there is no memory to read the file", at: YAMLPosition(line: 1, column: 1))
        }
        let content = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        // libyaml refuses a null pointer, also for no bytes.
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, content.count))
        bytes.initialize(repeating: 0)
        _ = content.copyBytes(to: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, content.count)
        self.parser = parser
        self.bytes = bytes
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// - Throws: `YAMLFault` with libyaml's words. After a fault nothing more can be read.
    mutating func next() throws -> YAMLEvent {
        var event = yaml_event_t()
        defer { yaml_event_delete(&event) }
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
        return YAMLEvent(kind: YAMLParser.kind(of: event), position: YAMLPosition(event.start_mark))
    }

    private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            // The text may contain NUL characters, written as "\0", so its length is needed.
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(text, anchor: self.text(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart(anchor: text(event.data.sequence_start.anchor))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT: return .mappingStart(anchor: text(event.data.mapping_start.anchor))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamEnd
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// What libyaml says of the call that just failed.
    private var fault: YAMLFault {
        guard let problem = parser.pointee.problem else {
            return YAMLFault(.syntax, "there is no memory to read the file", at: YAMLPosition(parser.pointee.mark))
        }
        let words = [problem, parser.pointee.context].compactMap { $0.map { String(cString: $0) } }
        // A byte that is no text has no line yet; libyaml says only how many bytes lie before it.
        let position =
            parser.pointee.error == YAML_READER_ERROR
            ? position(ofByte: parser.pointee.problem_offset) : YAMLPosition(parser.pointee.problem_mark)
        return YAMLFault(.syntax, words.joined(separator: " "), at: position)
    }

    private func position(ofByte offset: Int) -> YAMLPosition {
        let before = bytes.prefix(offset)
        let newline = UInt8(ascii: "\n")
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        // Bytes of the form 10xxxxxx continue a character.
        let column = before[start...].count(where: { $0 & 0xC0 != 0x80 })
        return YAMLPosition(line: before.count(where: { $0 == newline }) + 1, column: column + 1)
    }
}

extension YAMLPosition {
    /// libyaml counts both from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
