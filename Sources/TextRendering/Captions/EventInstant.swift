import Glibc

/// An instant of an event, for which the numbers of its animations (`\t`) are read as libass reads them, including
/// malformed ones.
struct EventInstant {
    /// Milliseconds since the event's start.
    var time: Int32
    /// The event's length in milliseconds.
    var duration: Int32

    /// The share of the change that an animation has made: 0 before it begins, 1 after its end.
    /// - Parameter head: the animation up to its first tag: "\t(", "\t(acceleration,", "\t(start,end," or
    ///   "\t(start,end,acceleration,", with times in milliseconds.
    /// - Returns: nil where libass ignores the animation, because it has too many numbers.
    func share(of head: Substring) -> Double? {
        // What stands between the last comma and the first tag belongs to the tags. Empty numbers do not count.
        let numbers = head.drop { $0 != "(" }.dropFirst().split(separator: ",", omittingEmptySubsequences: false).dropLast()
            .map { $0.trimmed }.filter { !$0.isEmpty }
        var (first, last) = (Int32(0), Int32(0))
        var acceleration = 1.0
        switch numbers.count {
        case 0: break
        case 1: acceleration = numbers[0].leadingNumber
        case 2: (first, last) = (EventInstant.truncated(numbers[0]), EventInstant.truncated(numbers[1]))
        case 3:
            (first, last) = (EventInstant.whole(numbers[0]), EventInstant.whole(numbers[1]))
            acceleration = numbers[2].leadingNumber
        default: return nil
        }
        if last == 0 { last = duration }
        if time < first { return 0 }
        if time >= last { return 1 }
        return pow(Double(time &- first) / Double(last &- first), acceleration)
    }

    /// libass truncates the times of an animation with two numbers; those that do not fit become the smallest number.
    private static func truncated(_ text: Substring) -> Int32 {
        let number = text.leadingNumber
        return number > Double(Int32.min) && number < -Double(Int32.min) ? Int32(number) : .min
    }

    /// libass reads the times of an animation with three numbers as whole numbers, limited to 32 bits.
    private static func whole(_ text: Substring) -> Int32 {
        let number = text.prefix { $0.isASCIIDigit || $0 == "+" || $0 == "-" }.leadingNumber
        return Int32(max(Double(Int32.min), min(Double(Int32.max), number)))
    }
}

extension Substring {
    /// The decimal number at the beginning of the text, which may have an exponent; 0 where there is none.
    var leadingNumber: Double {
        let text = Array(trimmed.utf8)
        var end = 0
        func isNext(_ characters: String) -> Bool { end < text.count && characters.utf8.contains(text[end]) }
        func skipSign() { if isNext("+-") { end += 1 } }
        func skipDigits() { while isNext("0123456789") { end += 1 } }
        skipSign()
        skipDigits()
        if isNext(".") {
            end += 1
            skipDigits()
        }
        let mantissa = end
        if isNext("eE") {
            end += 1
            skipSign()
            let exponent = end
            skipDigits()
            if end == exponent { end = mantissa }
        }
        return Double(String(decoding: text[..<end], as: UTF8.self)) ?? 0
    }
}
