import ExactTime
import ExportPlan
import Operations
import TestSupport
import Testing
import FoundationEssentials

/// What holds for all operations, and the page that lists them.
@Suite struct CatalogueTests {
    private static let curve = try? CubeFile.table(from: "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n".utf8, subject: "negative")
    private static let tables = ["t": curve].compactMapValues { $0 }

    /// The operation with its neutral or default values, except for the given ones.
    private func operation(_ descriptor: OperationDescriptor, _ changed: [String: Double] = [:]) -> ExportPlan.Operation {
        var values: [String: Double] = [:]
        for parameter in descriptor.parameters { values[parameter.name] = parameter.neutral ?? parameter.default }
        return .constant(
            descriptor.name, values.merging(changed) { $1 }, source: descriptor.needsSource ? "t" : nil)
    }

    @Test("At its neutral values an operation leaves every picture unchanged, bit for bit")
    func neutral() throws {
        let planar = PlanarPicture.noise(FrameSize(width: 34, height: 18), seed: 3)
        for descriptor in OperationCatalogue.all where descriptor.parameters.contains(where: { $0.neutral != nil }) {
            let operations = [operation(descriptor)]
            for channels in [3, 4] {
                let picture = PixelPicture.colorful(channels: channels)
                #expect(try picture.applying(operations, tables: CatalogueTests.tables) == picture, "\(descriptor.name)")
            }
            #expect(try planar.applying(operations, tables: CatalogueTests.tables) == planar, "\(descriptor.name)")
            let chain = try OperationChain(
                operations, atFrame: 0, of: FrameRate(1), size: planar.size, tables: CatalogueTests.tables)
            #expect(chain.isIdentity)
        }
    }

    @Test("Away from its neutral value, in either direction, an operation changes a picture")
    func changing() throws {
        let picture = PixelPicture.colorful()
        for descriptor in OperationCatalogue.all {
            for parameter in descriptor.parameters {
                guard let neutral = parameter.neutral else { continue }
                // The values are halfway to the ends, because a full rotation of the hue changes nothing.
                for end in [parameter.range.lowerBound, parameter.range.upperBound] where end != neutral {
                    let value = (neutral + end) / 2
                    let changed = operation(descriptor, [parameter.name: value])
                    #expect(
                        // A later frame is used because an animated operation may change nothing at its start.
                        try picture.applying([changed], frame: 3, of: FrameRate(25), tables: CatalogueTests.tables) != picture,
                        "\(descriptor.name) \(parameter.name) \(value)")
                }
            }
        }
    }

    @Test("Out-of-range values are limited, and any number can be drawn, also on the smallest pictures")
    func outOfRange() throws {
        for descriptor in OperationCatalogue.all {
            for value in [-1e300, -1, 0, 1e-300, 1e300, .infinity, .nan] {
                var changed = operation(descriptor)
                for parameter in descriptor.parameters { changed.parameters[parameter.name] = .constant(value) }
                for (width, height) in [(1, 1), (3, 2), (40, 24)] {
                    let size = FrameSize(width: width, height: height)
                    let planar = PlanarPicture(size: size, y: 120, u: 90, v: 150)
                    let drawn = try planar.applyingWithAlpha([changed], tables: CatalogueTests.tables)
                    #expect(drawn.picture.size == size)
                    _ = try planar.applying([changed], tables: CatalogueTests.tables)
                }
            }
            for parameter in descriptor.parameters where parameter.unit != "pixels" {
                let picture = PixelPicture.colorful(FrameSize(width: 20, height: 12))
                let beyond = operation(descriptor, [parameter.name: parameter.range.upperBound + 10])
                let end = operation(descriptor, [parameter.name: parameter.range.upperBound])
                #expect(
                    try picture.applying([beyond], tables: CatalogueTests.tables)
                        == picture.applying([end], tables: CatalogueTests.tables))
            }
        }
    }

    @Test("Names are unique, and defaults and neutral values are within their ranges")
    func descriptions() {
        #expect(Set(OperationCatalogue.all.map(\.name)).count == OperationCatalogue.all.count)
        for descriptor in OperationCatalogue.all {
            #expect(Set(descriptor.parameters.map(\.name)).count == descriptor.parameters.count, "\(descriptor.name)")
            for parameter in descriptor.parameters {
                #expect(parameter.range.contains(parameter.default), "\(descriptor.name) \(parameter.name)")
                #expect(parameter.range.contains(parameter.neutral ?? parameter.default))
            }
        }
    }

    @Test("An operation with animated values survives JSON and is shifted in time with its layer")
    func coding() throws {
        let fade = AnimatedValue(keys: [.init(time: .zero, value: 0), .init(time: MediaTime(seconds: 2), value: 1)])
        let operation = ExportPlan.Operation(name: "sepia", parameters: ["amount": fade])
        let data = try JSONEncoder().encode(operation)
        #expect(try JSONDecoder().decode(ExportPlan.Operation.self, from: data) == operation)
        let picture = PixelPicture.colorful()
        let later = operation.mapValues { $0.shifted(by: MediaTime(seconds: 3)) }
        #expect(try picture.applying([later], frame: 3) == picture)
        #expect(
            try picture.applying([later], frame: 4) == picture.applying([.constant("sepia", ["amount": 0.5])]))
    }

    @Test("docs/operations.md agrees with the catalogue")
    func documentation() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.path + "/docs/operations.md"
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(OperationCatalogue.documentation.utf8).write(to: URL(fileURLWithPath: file))
            Issue.record("recorded \(file); read the difference and run again without SPOOL_RECORD_SNAPSHOTS")
        }
        #expect(OperationCatalogue.documentation == (try String(contentsOfFile: file, encoding: .utf8)))
    }
}
