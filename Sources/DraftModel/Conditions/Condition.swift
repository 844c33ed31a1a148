import ExactTime

/// A condition under which a clip, an audio clip, an effect, a layer or a chapter is part of the film: the text of its
/// field `when`, such as `{{lang}} == 'de' && {{price}} < 10`.
///
///     condition   = conjunction { "||" conjunction }
///     conjunction = negation { "&&" negation }
///     negation    = "!" negation | comparison
///     comparison  = operand [ ("==" | "!=" | "<" | "<=" | ">" | ">=") operand | ["not"] "in" "[" operand { "," operand } "]" ]
///     operand     = "{{" name "}}" | 'text' | "text" | number | "true" | "false" | "(" condition ")"
///
/// A merge field is an operand and never a part of the text, so no value can change what a condition means.
/// `ConditionParser` reads conditions, and `MergeFields.swift` evaluates them.
struct Condition: Equatable, Sendable {
    indirect enum Expression: Equatable, Sendable {
        case value(ConditionValue)
        case field(String)
        case not(Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
        case compare(Expression, Comparison, Expression)
        /// Whether the first is equal to one of the others.
        case contained(Expression, [Expression])
        /// An expression with its place in the text, for faults: the number of characters before it.
        case placed(Expression, at: Int)
    }

    enum Comparison: String, CaseIterable, Sendable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    var expression: Expression
    /// The merge fields in the order of their first occurrence.
    var fieldNames: [String]

    /// Evaluates the condition from left to right. What cannot change the result any more is not evaluated, so that
    /// `{{n}} != '' && {{n}} < 3` has no fault where `n` is empty.
    /// - Parameter values: the texts of all merge fields of the condition.
    func isTrue(with values: [String: String]) throws(ConditionFault) -> Bool {
        try truth(of: expression, values, 0)
    }

    private func truth(
        of expression: Expression, _ values: [String: String], _ place: Int
    ) throws(ConditionFault) -> Bool {
        let value = try evaluate(expression, values, place)
        guard let truth = value.truth else {
            throw ConditionFault(
                "is neither true nor false: \(value.described); compare it with something, as in \(value.described) == 'yes'",
                at: place)
        }
        return truth
    }

    private func evaluate(
        _ expression: Expression, _ values: [String: String], _ place: Int
    ) throws(ConditionFault) -> ConditionValue {
        switch expression {
        case .value(let value): return value
        case .field(let name): return .text(values[name] ?? "")
        case .placed(let inner, let place): return try evaluate(inner, values, place)
        case .not(let inner): return .bool(try !truth(of: inner, values, place))
        case .and(let left, let right):
            guard try truth(of: left, values, place) else { return .bool(false) }
            return .bool(try truth(of: right, values, place))
        case .or(let left, let right):
            guard try !truth(of: left, values, place) else { return .bool(true) }
            return .bool(try truth(of: right, values, place))
        case .compare(let left, let comparison, let right):
            let (left, right) = (try evaluate(left, values, place), try evaluate(right, values, place))
            return .bool(try compare(left, comparison, right, place))
        case .contained(let wanted, let others):
            let wanted = try evaluate(wanted, values, place)
            for other in others where try wanted.isEqual(to: evaluate(other, values, place)) { return .bool(true) }
            return .bool(false)
        }
    }

    private func compare(
        _ left: ConditionValue, _ comparison: Comparison, _ right: ConditionValue, _ place: Int
    ) throws(ConditionFault) -> Bool {
        switch comparison {
        case .equal: return left.isEqual(to: right)
        case .notEqual: return !left.isEqual(to: right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: break
        }
        for side in [left, right] where side.number == nil {
            throw ConditionFault("\(comparison.rawValue) compares numbers, and \(side.described) is none", at: place)
        }
        guard let left = left.number, let right = right.number else { return false }
        switch comparison {
        case .less: return left < right
        case .lessOrEqual: return left <= right
        case .greater: return left > right
        case .greaterOrEqual: return left >= right
        case .equal, .notEqual: return false
        }
    }
}

/// A value in a condition. The value of a merge field is always a text.
enum ConditionValue: Equatable, Sendable {
    case text(String)
    case number(Rational)
    case bool(Bool)

    /// The value as a number; nil where it is none.
    var number: Rational? {
        switch self {
        case .text(let text): Rational(text: text)
        case .number(let number): number
        case .bool: nil
        }
    }

    /// The value as true or false; nil where it is neither.
    var truth: Bool? {
        switch self {
        case .text("true"): true
        case .text("false"): false
        case .bool(let value): value
        case .text, .number: nil
        }
    }

    /// The value in quotes or as a number, for messages; a long text is shortened.
    var described: String {
        switch self {
        case .text(let text): text.count > 40 ? "'\(text.prefix(40))...'" : "'\(text)'"
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        }
    }

    /// Two texts are equal if they have the same characters. A number is equal to a text that writes the same number,
    /// and `true` and `false` are equal to the texts of that name.
    func isEqual(to other: ConditionValue) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)): left == right
        case (.bool, _), (_, .bool): truth != nil && truth == other.truth
        case (.number, _), (_, .number): number != nil && number == other.number
        }
    }
}

/// What is wrong with a condition, and where.
struct ConditionFault: Error, Equatable {
    /// What is wrong, as words that follow the condition's path.
    var message: String
    /// The number of characters before the place.
    var place: Int

    init(_ message: String, at place: Int) {
        self.message = message
        self.place = place
    }
}
