import ExportPlan
import FoundationEssentials

/// The statistics files that encoders write in a first pass.
package enum PassStatistics {
    /// The suffixes of an encoder's statistics files. The second file stores how later pictures use each block.
    package static let suffixes = ["", ".mbtree", ".cutree"]

    /// The contents of a file.
    /// - Throws: `MediaError`; see `SourceFile`.
    static func text(ofFile path: String) throws(MediaError) -> String {
        String(decoding: try SourceFile(path: path).bytes(), as: UTF8.self)
    }

    /// - Throws: `MediaError` `cannotWrite`.
    static func write(_ text: String, to path: String) throws(MediaError) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw MediaError(.cannotWrite, subject: path, message: "cannot be written")
        }
    }

    /// The summed cost of all pictures in a statistics file, which libx264 and libx265 write alike: `... tex:3433
    /// mv:1070 misc:97 ...`.
    /// - Throws: `MediaError` `cannotWrite` if the file does not have `count` pictures, because encoders do not report
    ///   a full disk.
    static func cost(ofFile path: String, pictures count: Int) throws(MediaError) -> PictureCost {
        var cost = PictureCost(texture: 0)
        var found = 0
        for line in try text(ofFile: path).split(separator: "\n") where line.hasPrefix("in:") {
            found += 1
            for field in line.split(separator: " ") {
                let parts = field.split(separator: ":")
                guard parts.count == 2, let bits = Double(parts[1]) else { continue }
                switch parts[0] {
                case "tex": cost.texture += bits
                case "mv": cost.motion += bits
                case "misc": cost.other += bits
                default: break
                }
            }
        }
        guard found == count else {
            throw MediaError(
                .cannotWrite, subject: path,
                message: "has \(found) of \(count) pictures, as where the disk is full; free some space on it, and try again")
        }
        return cost
    }
}
