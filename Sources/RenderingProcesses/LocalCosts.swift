import ContentHashing
package import ExportPlan
import FoundationEssentials
import Glibc

/// What local exports have learned of the times that jobs take on this machine: a small file in the cache, one for each
/// class of machines, because machines may share a cache.
///
/// It is only an aid. A file that is missing, damaged or of another version counts as nothing learned, one that cannot be
/// written is not an error, and when two exports end at the same time, what one of them measured may be lost.
package struct LocalCosts: Sendable {
    /// A larger file is none of ours, in bytes.
    private static let mostBytes = 1 << 18

    private struct Content: Codable {
        var machine: String
        var model: CostModel
    }

    private let directory: String
    private let machine: String

    /// - Parameters:
    ///   - directory: the directory of the files, created when the first one is stored.
    ///   - machine: the class of the machine.
    package init(directory: String, machine: String = MachineClass.ofThisMachine) {
        self.directory = directory
        self.machine = machine
    }

    /// What is known now.
    package var model: CostModel {
        // A named pipe would wait for its writer, and a large file would be read to its end.
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= LocalCosts.mostBytes,
            let data = FileManager.default.contents(atPath: file)
        else { return CostModel() }
        let content = try? JSONDecoder().decode(Content.self, from: data)  // damaged: nothing is known
        return content?.machine == machine ? content?.model ?? CostModel() : CostModel()
    }

    /// Learns from jobs that were done, and stores the result.
    package func learn(_ measurements: [JobMeasurement]) {
        guard !measurements.isEmpty else { return }
        var model = model
        for measurement in measurements { model.learn(measurement) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // An error here is ignored: the next export begins with what was known before.
        guard let data = try? encoder.encode(Content(machine: machine, model: model)) else { return }
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    private var file: String { "\(directory)/\(ContentHash.of(machine.utf8).prefix(16)).json" }
}
