public import ArgumentParser
public import ExactTime
public import ExportPlan

extension Rational: ExpressibleByArgument {
    /// Seconds or `num/den`.
    public init?(argument: String) { self.init(text: argument) }
}

extension FrameSize: ExpressibleByArgument {
    /// `320x180`, each side 1...16384.
    public init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16_384).contains(width),
            (1...16_384).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }
}
