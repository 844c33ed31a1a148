import DraftCompiler
import ArtifactStore
import CommandLineInterface
import ExportPlan
import Glibc

/// The files that a prepared draft is made from. Commands check their outputs against them, so that none is
/// overwritten.
extension DraftPreparation {
    /// Every file that the draft names.
    /// - Parameter document: the draft's own file; `-` when it came from standard input.
    func inputs(document: String? = nil) async throws -> [OutputCheck.Input] {
        var inputs: [OutputCheck.Input] = []
        if let document, document != "-" { inputs.append(.init(place: "the draft", path: document)) }
        for (path, uses) in places.sorted(by: { $0.key < $1.key }) {
            inputs += uses.map { OutputCheck.Input(place: $0, path: path) }
        }
        let plugins = places.compactMap { path, uses in PluginLocation.name(of: path).map { ($0, uses) } }
        if !plugins.isEmpty {
            let uses = Dictionary(plugins, uniquingKeysWith: { first, _ in first })
            let found = try await Renderer.plugins()
            for file in found.files {
                inputs += (uses[file.name] ?? []).map { OutputCheck.Input(place: $0, path: file.path) }
            }
            for (name, places) in uses.sorted(by: { $0.key < $1.key }) {
                guard case .ladspa(let library, _) = SoundPluginName(name) else { continue }
                for file in found.ladspaLibraries where file.name == library {
                    inputs += places.map { OutputCheck.Input(place: $0, path: file.path) }
                }
            }
        }
        return inputs
    }

    /// - Parameter document: the draft's own file.
    /// - Throws: `CommandFailure`, exit code 65, when an output is a file that the draft is made from: a file that it
    ///   names, a font of this machine, a file of the cache, or one of the programs.
    func check(outputs: [String], document: String?) async throws {
        // An output that does not exist yet cannot be an input.
        let replacing = outputs.filter { OutputCheck($0).replacesFile }
        guard !replacing.isEmpty else { return }
        for output in replacing where cacheHas(output) {
            throw CommandFailure(
                "the output '\(output)' is a file of the cache '\(store.directory)' and would destroy it; name another output",
                status: ExitStatus.badInput)
        }
        // Listing the fonts starts a rendering process, which a repeated export need not do.
        let fonts = replacing.contains(where: FilmSignature.isAbsent) ? try await fonts() : []
        try OutputOptions.check(replacing, against: try await inputs(document: document) + fonts + programs())
    }

    /// The fonts of this machine, when the draft draws text. Any of them may be needed for one of its characters.
    private func fonts() async throws -> [OutputCheck.Input] {
        guard FontFolder.drawsText(draft) else { return [] }
        return try await Renderer.fonts().flatMap { family in
            family.styles.map { OutputCheck.Input(place: "the font '\(family.name)' of this machine", path: $0.file) }
        }
    }

    private func programs() throws -> [OutputCheck.Input] {
        [
            .init(place: "the program that renders", path: try Renderer.executable()),
            .init(place: "this program", path: try ProgramFiles.own()),
        ]
    }

    /// Whether a file is an artifact, a stored probe result or the lock of the cache. The cache may lie in a directory
    /// of the user with other files, which do not count.
    private func cacheHas(_ file: String) -> Bool {
        guard let path = realpath(file, nil), let cache = realpath(store.directory, nil) else { return false }
        defer {
            free(path)
            free(cache)
        }
        let (file, folder) = (String(cString: path), String(cString: cache) + "/")
        guard file.hasPrefix(folder) else { return false }
        let parts = file.dropFirst(folder.count).split(separator: "/")
        guard let first = parts.first else { return false }
        guard parts.count > 1 else { return first == CacheLock.fileName }
        return ["tmp", "facts", "plugins", "costs"].contains(first) || first.count == 2 && first.allSatisfy(\.isHexDigit)
    }
}
