/// What predictions are made with: seconds of one slot for a unit of each feature. The prediction for a job is the dot
/// product of its features with these coefficients.
package struct CostTable: Hashable, Sendable {
    /// The coefficients of the classes that have others than the built-in ones.
    private var fitted: [CostClass: [Double]] = [:]

    /// The coefficients of a machine that nobody has measured.
    package static let builtIn = CostTable()

    package init() {}

    /// Replaces the built-in coefficients of a class.
    /// - Parameter factors: multiples of the built-in coefficients, in the order of `JobKind.features`. Other than as
    ///   many of them as there are features, and others than `CostFit` has, are ignored.
    mutating func scale(_ costClass: CostClass, by factors: [Double]) {
        let builtIn = BuiltInCosts.coefficients(of: costClass)
        guard factors.count == builtIn.count, factors.allSatisfy(CostFit.bounds.contains) else { return }
        fitted[costClass] = zip(builtIn, factors).map(*)
    }

    /// The coefficients of a class in the order of `JobKind.features`: finite and above zero.
    package func coefficients(of costClass: CostClass) -> [Double] {
        fitted[costClass] ?? BuiltInCosts.coefficients(of: costClass)
    }

    /// The predicted time of a job on one slot, in seconds; finite and above zero.
    package func seconds(of features: JobFeatures) -> Double {
        zip(coefficients(of: features.costClass), features.amounts).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
