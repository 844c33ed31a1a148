import ArgumentParser
package import ExactTime
package import ExportPlan

extension Rational: ExpressibleByArgument {
    /// Reads seconds or `num/den`.
    package init?(argument: String) { self.init(text: argument) }
}

extension FrameSize: ExpressibleByArgument {
    /// Reads a size such as `320x180`, each side 1...16384.
    package init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16_384).contains(width),
            (1...16_384).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }
}
