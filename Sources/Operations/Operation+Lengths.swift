public import ExportPlan

/// Lengths of operations are pixels of the draft's `videoSize`; whoever runs them on a picture that has more or fewer pixels
/// for the same thing says so here.
extension Operation {
    /// The same operation for a picture `factor` times as large: parameters in pixels are multiplied, the others stay.
    public func lengthsScaled(by factor: Double) -> Operation {
        guard factor != 1, let descriptor = OperationCatalogue.descriptor(of: name) else { return self }
        var result = self
        for parameter in descriptor.parameters where parameter.isLength {
            let value = parameters[parameter.name] ?? .constant(parameter.default)
            result.parameters[parameter.name] = parameter.isNeutral(value) ? value : value.scaled(by: factor)
        }
        return result
    }

    /// How far the operation carries colour beyond the edges of what is drawn, in pixels, at most over time.
    public var spread: Int {
        guard let descriptor = OperationCatalogue.descriptor(of: name), let parameter = descriptor.spreading else { return 0 }
        let values = parameters[parameter.name]?.keys.map { parameter.limit($0.value) } ?? [parameter.default]
        return Int((3 * (values.max() ?? 0)).rounded(.up))
    }
}

extension OperationParameter {
    /// Whether it changes nothing at any time.
    fileprivate func isNeutral(_ value: AnimatedValue) -> Bool { neutral != nil && value.constantValue == neutral }
}
