import ExactTime
import Testing

@Suite("Rationals from text")
struct RationalTextTests {
    @Test(
        "Decimal text is read exactly, digit by digit",
        arguments: [
            ("0.1", 1, 10), ("0.10", 1, 10), ("0.3333", 3333, 10_000), ("23.976", 2997, 125), ("5", 5, 1), ("-7", -7, 1),
            ("+3", 3, 1), ("-0.25", -1, 4), ("-0", 0, 1), ("0.000001", 1, 1_000_000), ("007", 7, 1),
            ("0.30000000000000004", 7_500_000_000_000_001, 25_000_000_000_000_000),
        ] as [(String, Int64, Int64)])
    func decimal(text: String, numerator: Int64, denominator: Int64) throws {
        let value = try #require(Rational(text: text))
        #expect(value.numerator == numerator)
        #expect(value.denominator == denominator)
    }

    @Test(
        "An exponent shifts the decimal point without rounding",
        arguments: [
            ("1.5e3", 1500, 1), ("1E2", 100, 1), ("-1.5e-3", -3, 2000), ("1e+2", 100, 1), ("25e-2", 1, 4), ("0e36", 0, 1),
            ("1e-18", 1, 1_000_000_000_000_000_000), ("1200e-2", 12, 1),
        ] as [(String, Int64, Int64)])
    func exponent(text: String, numerator: Int64, denominator: Int64) throws {
        let value = try #require(Rational(text: text))
        #expect(value.numerator == numerator)
        #expect(value.denominator == denominator)
    }

    @Test(
        "A fraction is read and reduced",
        arguments: [
            ("30000/1001", 30000, 1001), ("2/4", 1, 2), ("-6/4", -3, 2), ("0/7", 0, 1),
            ("9223372036854775807/9223372036854775807", 1, 1), ("9223372036854775807/2", Int64.max, 2),
        ] as [(String, Int64, Int64)])
    func fraction(text: String, numerator: Int64, denominator: Int64) throws {
        let value = try #require(Rational(text: text))
        #expect(value.numerator == numerator)
        #expect(value.denominator == denominator)
    }

    @Test(
        "Text that is not a number is refused",
        arguments: [
            "", "-", "+", ".", "abc", "1e", "e5", "1e1.5", "0x10", " 1", "1 ", "--1", "+-1", "1,5", "1.2.3", "1_000", "\u{0661}",
            "NaN", "inf", "1/0", "1/-2", "1/2/3", "/2", "1/", "/", "1.5/2", "1/2e1", "{{speed}}",
        ])
    func junk(text: String) {
        #expect(Rational(text: text) == nil)
    }

    @Test("The largest 64-bit number is read")
    func largest() throws {
        let value = try #require(Rational(text: "9223372036854775807"))
        #expect(value.numerator == Int64.max)
        #expect(value.denominator == 1)
    }

    @Test(
        "A number that needs more than 64 bits is refused, never rounded",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "1e19", "1e36", "1e-19", "0.1234567890123456789012345", "1e37",
            "1e-37",
            "99999999999999999999999999999999999999", "9223372036854775808/3",
        ])
    func tooLong(text: String) {
        #expect(Rational(text: text) == nil)
    }

    @Test("An exponent of any length is refused without a crash")
    func hugeExponent() async {
        await #expect(processExitsWith: .success) {
            // -2^63 has no magnitude in Int64.
            for text in ["1e-9223372036854775808", "1e9223372036854775807", "1e99999999999999999999"] {
                precondition(Rational(text: text) == nil)
            }
        }
    }

    @Test("A description reads back as the same rational")
    func description() {
        for value in [Rational(30000, 1001), Rational(-1, 3), Rational(12), .zero, Rational(Int64.max - 1, Int64.max)] {
            #expect(Rational(text: value.description) == value)
        }
        #expect(Rational(30000, 1001).description == "30000/1001")
        #expect(Rational(-12, 4).description == "-3")
    }

    @Test("A time is written as a decimal of up to six digits or as a fraction, and reads back as itself")
    func times() {
        let texts: [(Rational, String)] = [
            (Rational(63, 25), "2.52"), (Rational(11, 2), "5.5"), (Rational(-1, 8), "-0.125"), (Rational(3), "3"), (.zero, "0"),
            (Rational(1, 1_000_000), "0.000001"), (Rational(1, 10_000_000), "1/10000000"), (Rational(10, 3), "10/3"),
            (Rational(1001, 30_000), "1001/30000"), (Rational(Int64.max, 2), "\(Int64.max)/2"),
        ]
        for (value, text) in texts {
            #expect(MediaTime(value).description == text)
            #expect(Rational(text: text) == value)
        }
    }
}
