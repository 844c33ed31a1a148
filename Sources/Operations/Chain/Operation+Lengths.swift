package import ExportPlan

/// Lengths of operations are in pixels of the draft's `videoSize`. A caller that runs them on a picture with more or
/// fewer pixels for the same content has to scale them with these functions.
extension Operation {
    /// The same operation for a picture `factor` times as large. Parameters in pixels are multiplied; the others stay.
    package func lengthsScaled(by factor: Double) -> Operation {
        guard factor != 1, let descriptor = OperationCatalogue.descriptor(of: name) else { return self }
        var result = self
        for parameter in descriptor.parameters where parameter.isLength {
            let value = parameters[parameter.name] ?? .constant(parameter.default)
            result.parameters[parameter.name] = parameter.isNeutral(value) ? value : value.scaled(by: factor)
        }
        return result
    }

    /// How many pixels beyond the edges of a picture the operation can spread colour, at the maximum of its animation.
    package var spread: Int {
        guard let descriptor = OperationCatalogue.descriptor(of: name), let parameter = descriptor.spreading else { return 0 }
        let values = parameters[parameter.name]?.keys.map { parameter.limit($0.value) } ?? [parameter.default]
        return Int((3 * (values.max() ?? 0)).rounded(.up))
    }
}

extension OperationParameter {
    /// Whether the parameter has its neutral value at all times.
    fileprivate func isNeutral(_ value: AnimatedValue) -> Bool { neutral != nil && value.constantValue == neutral }
}
