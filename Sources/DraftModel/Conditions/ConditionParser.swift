import ExactTime

/// Reads the text of a condition (`Condition` has the grammar). Its time grows with the length of the text, and its
/// depth is limited.
struct ConditionParser {
    private let text: [Character]
    private var position = 0
    private var depth = 0
    private var fieldNames: [String] = []

    private init(_ text: String) {
        self.text = Array(text)
    }

    /// - Throws: `ConditionFault` for the first fault.
    static func parse(_ text: String) throws(ConditionFault) -> Condition {
        guard text.utf8.count <= DraftLimits.conditionBytes else {
            throw ConditionFault("may have \(DraftLimits.conditionBytes) bytes, not \(text.utf8.count)", at: 0)
        }
        var parser = ConditionParser(text)
        let expression = try parser.disjunction()
        parser.skipSpace()
        guard parser.position == parser.text.count else { throw parser.unexpected("nothing more, or && or ||") }
        return Condition(expression: expression, fieldNames: parser.fieldNames)
    }

    private mutating func disjunction() throws(ConditionFault) -> Condition.Expression {
        var result = try conjunction()
        while take("||") { result = .or(result, try conjunction()) }
        return result
    }

    private mutating func conjunction() throws(ConditionFault) -> Condition.Expression {
        var result = try negation()
        while take("&&") { result = .and(result, try negation()) }
        return result
    }

    private mutating func negation() throws(ConditionFault) -> Condition.Expression {
        skipSpace()
        let place = position
        guard peek() == "!", peek(1) != "=" else { return try comparison() }
        position += 1
        return try nested(place) { parser throws(ConditionFault) in .not(try parser.negation()) }
    }

    private mutating func comparison() throws(ConditionFault) -> Condition.Expression {
        skipSpace()
        let place = position
        let left = try operand()
        for comparison in Condition.Comparison.allCases where take(comparison.rawValue) {
            return .placed(.compare(left, comparison, try operand()), at: place)
        }
        let isNegated = takeWord("not")
        guard takeWord("in") else {
            guard !isNegated else { throw unexpected("'in' after 'not'") }
            return .placed(left, at: place)
        }
        guard take("[") else { throw unexpected("a list, as in ['de', 'fr']") }
        var others = [try operand()]
        while take(",") { others.append(try operand()) }
        guard take("]") else { throw unexpected("',' or ']'") }
        let contained = Condition.Expression.contained(left, others)
        return .placed(isNegated ? .not(contained) : contained, at: place)
    }

    private mutating func operand() throws(ConditionFault) -> Condition.Expression {
        skipSpace()
        let place = position
        switch peek() {
        case "(":
            position += 1
            return try nested(place) { parser throws(ConditionFault) in
                let inner = try parser.disjunction()
                guard parser.take(")") else { throw parser.unexpected("')'") }
                return inner
            }
        case "{": return try field()
        case "'", "\"": return .value(.text(try quotedText()))
        default: return .value(try plainValue())
        }
    }

    private mutating func nested(
        _ place: Int, _ read: (inout ConditionParser) throws(ConditionFault) -> Condition.Expression
    ) throws(ConditionFault) -> Condition.Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= DraftLimits.conditionDepth else {
            throw ConditionFault("may nest parentheses and ! at most \(DraftLimits.conditionDepth) deep", at: place)
        }
        return try read(&self)
    }

    // MARK: Operands

    private mutating func field() throws(ConditionFault) -> Condition.Expression {
        let place = position
        guard peek(1) == "{" else { throw unexpected("a merge field, as in {{lang}}") }
        position += 2
        let start = position
        while position < text.count, !(peek() == "}" && peek(1) == "}") { position += 1 }
        guard position < text.count else { throw ConditionFault("has a merge field without its }}", at: place) }
        let name = String(text[start..<position]).trimmedSpaces
        position += 2
        guard !name.isEmpty else { throw ConditionFault("has a merge field without a name", at: place) }
        if !fieldNames.contains(name) { fieldNames.append(name) }
        return .field(name)
    }

    private mutating func quotedText() throws(ConditionFault) -> String {
        let (place, quote) = (position, text[position])
        position += 1
        var result = ""
        while let character = peek(), character != quote {
            if character == "\\", let escaped = peek(1), [quote, "\\"].contains(escaped) { position += 1 }
            if character == "{", peek(1) == "{" {
                throw ConditionFault("has a merge field in quotes; write it without them, as in {{lang}} == 'de'", at: position)
            }
            result.append(text[position])
            position += 1
        }
        guard peek() == quote else { throw ConditionFault("has a text without its closing \(quote)", at: place) }
        position += 1
        return result
    }

    private mutating func plainValue() throws(ConditionFault) -> ConditionValue {
        let place = position
        while let character = peek(), character.isLetter || character.isNumber || "+-._".contains(character) { position += 1 }
        let word = String(text[place..<position])
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "":
            throw unexpected("a value: {{name}}, 'text', a number, true or false")
        default:
            guard let number = Rational(text: word) else {
                throw ConditionFault(
                    "'\(word)' is no value; write {{\(word)}} for a merge field, or '\(word)' for a text", at: place)
            }
            return .number(number)
        }
    }

    // MARK: Characters

    private func peek(_ ahead: Int = 0) -> Character? {
        position + ahead < text.count ? text[position + ahead] : nil
    }

    private mutating func skipSpace() {
        while let character = peek(), character.isWhitespace { position += 1 }
    }

    /// Passes over a symbol where it is next.
    private mutating func take(_ symbol: String) -> Bool {
        skipSpace()
        guard text[position...].starts(with: symbol) else { return false }
        position += symbol.count
        return true
    }

    /// Passes over a word where it is next as a whole.
    private mutating func takeWord(_ word: String) -> Bool {
        skipSpace()
        let next = peek(word.count)
        guard text[position...].starts(with: word), next.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true else {
            return false
        }
        position += word.count
        return true
    }

    private func unexpected(_ expected: String) -> ConditionFault {
        guard let found = peek() else { return ConditionFault("ends too early: expected \(expected)", at: position) }
        let remedy =
            switch found {
            case "=": "; equality is written =="
            case "&": "; 'and' is written &&"
            case "|": "; 'or' is written ||"
            default: ""
            }
        return ConditionFault("has '\(found)' where \(expected) is expected\(remedy)", at: position)
    }
}
