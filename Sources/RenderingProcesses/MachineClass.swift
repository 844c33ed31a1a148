import FoundationEssentials
import Glibc

/// The class of a machine: its processor's model and the number of processors, such as `AMD EPYC 7B13, 8 processors`.
/// Jobs take about the same time on all machines of a class, so that their times are learned together.
package enum MachineClass {
    /// The class of the machine that this process runs on.
    package static let ofThisMachine: String = {
        // Without the file, the class is that of the architecture alone.
        let text = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return name(cpuInfo: text, architecture: architecture, processors: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }()

    /// - Parameters:
    ///   - text: the content of `/proc/cpuinfo`.
    ///   - architecture: the name of the architecture, for machines that do not name their model there.
    package static func name(cpuInfo text: String, architecture: String, processors: Int) -> String {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1).map { part in
                part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            // The lines of the first processor stand for all.
            if words.count == 2, !words[1].isEmpty, values[words[0]] == nil { values[words[0]] = words[1] }
        }
        // ARM machines have no name of a model, but numbers of the maker and of the part.
        let part = values["CPU part"].map { "\(architecture) \(values["CPU implementer"] ?? "") \($0)" }
        let model = values["model name"] ?? part ?? architecture
        return "\(String(model.prefix(60))), \(processors) processor\(processors == 1 ? "" : "s")"
    }

    private static var architecture: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
