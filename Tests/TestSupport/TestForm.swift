import FoundationEssentials
package import Testing

/// How many of the tests run. With `TEST_FORM=short` in the environment, as in continuous integration, the slowest tests
/// run with a part of their arguments, or not at all. `make test` alone runs everything.
package enum TestForm {
    package static let isShort = ProcessInfo.processInfo.environment["TEST_FORM"] == "short"

    /// All arguments of a test, or only the first `count` of them in the short form.
    package static func part<Argument>(_ count: Int, of arguments: [Argument]) -> [Argument] {
        isShort ? Array(arguments.prefix(count)) : arguments
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out of the short form.
    package static var slow: ConditionTrait {
        .disabled(if: TestForm.isShort, "it is slow, and left out with TEST_FORM=short")
    }
}
