import DraftCompiler
import DraftModel
import ExportPlan
import FoundationEssentials
import Glibc

/// The local files that an export reads: the draft, the files that it names, and the settings. Sources at addresses are
/// not among them.
struct WatchedFiles: Sendable {
    private let draft: String
    private let settings: String?
    private let parameters: [String: String]

    init(_ options: DraftOptions) {
        draft = options.draft
        settings = options.export.settingsFile
        // An error of the options is that of the export.
        parameters = (try? options.export.parameterValues()) ?? [:]
    }

    /// The states of all files that the draft names now. Where it cannot be read, these are its own file and the settings.
    func now() -> FileStates {
        var paths = [draft]
        if let settings { paths.append(settings) }
        if let (data, _) = try? DraftPreparation.readDraft(draft),
            let document = DraftReading(data, parameters: parameters, settings: [:]).draft
        {
            let locations = SourceUse.all(in: document).flatMap { use in
                use.fonts.map { Array($0.fileLocations) } ?? (use.isFile ? [use.url] : [])
            }
            let files = Set(locations).filter {
                !$0.isEmpty && !RemoteLocation.matches($0) && !AssetLocation.matches($0)
            }
            // Named as the draft names them, from where its own name begins.
            let folder = draft.lastIndex(of: "/").map { draft[...$0] } ?? ""
            paths += files.sorted().map { $0.hasPrefix("/") ? $0 : folder + $0 }
        }
        return FileStates(paths)
    }
}

/// The states of files, by which changes are seen without reading them.
struct FileStates: Hashable, Sendable {
    /// The state of a file.
    private struct State: Hashable {
        var device: UInt
        var number: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    /// The paths, and the states of the files that exist.
    private let paths: [String]
    private let states: [String: State]

    init(_ paths: [String]) {
        self.paths = paths
        var states: [String: State] = [:]
        for path in paths {
            var found = stat()
            guard stat(path, &found) == 0 else { continue }
            states[path] = State(
                device: UInt(found.st_dev), number: UInt(found.st_ino), size: Int(found.st_size), seconds: found.st_mtim.tv_sec,
                nanoseconds: found.st_mtim.tv_nsec)
        }
        self.states = states
    }

    /// The states of the same files now.
    var again: FileStates { FileStates(paths) }

    /// The files that have changed since other states, in the order of the paths.
    func changes(since earlier: FileStates) -> [String] {
        paths.filter { states[$0] != earlier.states[$0] }
    }
}
