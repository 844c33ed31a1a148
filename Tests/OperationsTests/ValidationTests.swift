import ExactTime
import ExportPlan
import Operations
import Testing

/// An error in an operation is reported with its path, a code, and a remedy.
@Suite struct ValidationTests {
    @Test("Valid operations have no faults at both ends of every range")
    func valid() {
        for descriptor in OperationCatalogue.all {
            for value in [\OperationParameter.range.lowerBound, \.range.upperBound, \.default] {
                let values = Dictionary(uniqueKeysWithValues: descriptor.parameters.map { ($0.name, $0[keyPath: value]) })
                let operation = ExportPlan.Operation.constant(
                    descriptor.name, values, source: descriptor.needsSource ? "t" : nil)
                #expect(OperationCatalogue.validate([operation], at: "filters") == [])
            }
        }
    }

    @Test("Every parameter is refused outside of its range, with the range in the message")
    func ranges() {
        for descriptor in OperationCatalogue.all {
            for parameter in descriptor.parameters {
                for value in [parameter.range.lowerBound - 0.01, parameter.range.upperBound + 0.01, .nan, .infinity] {
                    let operation = ExportPlan.Operation.constant(
                        descriptor.name, [parameter.name: value], source: descriptor.needsSource ? "t" : nil)
                    let faults = OperationCatalogue.validate(operation, at: "filters[3]")
                    #expect(faults.map(\.path) == ["filters[3].\(parameter.name)"])
                    #expect(faults.map(\.code) == [.outOfRange])
                }
            }
        }
        let faults = OperationCatalogue.validate([.constant("contrast", ["amount": 9])], at: "filters")
        #expect(faults.map(\.message) == ["9 is outside of what 'amount' may be: 0 to 4 (factor)"])
    }

    @Test("One keyframe out of range is refused")
    func keys() {
        let value = AnimatedValue(keys: [.init(time: .zero, value: 0), .init(time: MediaTime(seconds: 1), value: 3)])
        let operation = ExportPlan.Operation(name: "sepia", parameters: ["amount": value])
        #expect(OperationCatalogue.validate(operation, at: "o").map(\.code) == [.outOfRange])
    }

    @Test("Misspelt names are refused with the nearest name, and all faults are found at once")
    func spelling() {
        let faults = OperationCatalogue.validate(
            [
                .constant("brigthness"), .constant("vignette", ["amuont": 1, "start": 5]), .constant("lut"),
                .constant("blur", ["radius": 1], source: "t"), .constant("quux"),
            ], at: "layers[0].operations")
        #expect(
            faults.map(\.path) == [
                "layers[0].operations[0].type", "layers[0].operations[1].amuont", "layers[0].operations[1].start",
                "layers[0].operations[2].url", "layers[0].operations[3].url", "layers[0].operations[4].type",
            ])
        #expect(
            faults.map(\.code) == [
                .invalidValue, .unknownField, .outOfRange, .missingField, .unknownField, .invalidValue,
            ])
        #expect(faults[0].message == "there is no operation 'brigthness'; did you mean 'brightness'?")
        #expect(faults[3].message == "'lut' needs a file; name it with 'url'")
        #expect(faults[4].message == "'blur' reads no file; leave 'url' out")
        #expect(faults[1].message == "'vignette' has no parameter 'amuont'; did you mean 'amount'?")
        #expect(faults[5].message.contains("there are brightness, contrast"))
    }

    @Test("A chain refuses what validation would have refused")
    func chain() {
        #expect(throws: OperationError.self) { try PixelPicture.colorful().applying([.constant("brigthness")]) }
        #expect(throws: OperationError.self) { try PixelPicture.colorful().applying([.constant("lut", source: "none")]) }
    }
}
