import CommandLineInterface
import FoundationEssentials

/// The drafts that a command line names: files, folders, and lines of standard input.
struct DraftInputs: Sequence, IteratorProtocol {
    /// One draft of the command line.
    struct Input {
        /// A name for messages: the path, or the number of the line.
        var name: String
        /// The folder that relative paths in the draft start from.
        var folder: String
        var document: Result<Data, CommandFailure>

        /// The label when neither the options nor the draft give one.
        var label: String? {
            name.hasPrefix("line ") ? nil : URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        }
    }

    private var paths: [String]
    private var line = 0
    private var readsInput = false

    /// - Parameter arguments: files, folders (all their `*.json`, sorted by name), and `-` for one draft per line of
    ///   standard input.
    /// - Throws: `CommandFailure` when a folder contains no drafts.
    init(_ arguments: [String]) throws {
        paths = []
        for argument in arguments {
            // The path `DIR/.` exists only for a directory.
            guard argument != "-", FileManager.default.fileExists(atPath: argument + "/.") else {
                paths.append(argument)
                continue
            }
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: argument)
            } catch {
                throw CommandFailure("the folder '\(argument)' cannot be read", status: ExitStatus.badInput)
            }
            let drafts = names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
            guard !drafts.isEmpty else {
                throw CommandFailure("there are no *.json files in '\(argument)'", status: ExitStatus.badInput)
            }
            let folder = argument.hasSuffix("/") ? String(argument.dropLast()) : argument
            paths += drafts.map { "\(folder)/\($0)" }
        }
        paths.reverse()
    }

    mutating func next() -> Input? {
        while readsInput || !paths.isEmpty {
            if readsInput {
                if let input = nextLine() { return input }
                readsInput = false
                continue
            }
            let path = paths.removeLast()
            if path == "-" {
                readsInput = true
                continue
            }
            return file(path)
        }
        return nil
    }

    private mutating func nextLine() -> Input? {
        while let text = readLine() {
            line += 1
            if text.allSatisfy(\.isWhitespace) { continue }
            return Input(
                name: "line \(line)", folder: FileManager.default.currentDirectoryPath, document: .success(Data(text.utf8)))
        }
        return nil
    }

    private func file(_ path: String) -> Input {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return Input(
            name: path, folder: folder, document: Result { () throws(CommandFailure) in try InputFile.read(path, isDraft: true) })
    }
}
