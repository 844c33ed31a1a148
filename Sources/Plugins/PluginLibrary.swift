import CPlugins
import ContentHashing
import ExportPlan
import Synchronization
import FoundationEssentials

/// A plug-in's library in this process, identified by its content hash. It is loaded once and never unloaded, because
/// many libraries crash when they are unloaded.
struct PluginLibrary: Sendable {
    enum Interface: Sendable {
        case frei0r(Frei0rPlugin)
        case own(OwnPlugin)
    }

    let contentHash: String
    let byteCount: Int
    let interface: Interface

    /// The loaded libraries by content hash. The whole process shares them, because a library is loaded for the whole
    /// process.
    private static let loaded = Mutex<[String: PluginLibrary]>([:])

    /// - Throws: `cannotLoad`, `unusable`.
    static func load(_ file: PluginDirectories.File) throws(PluginError) -> PluginLibrary {
        let bytes = try read(file)
        let hash = ContentHash.of(bytes)
        if let library = loaded.withLock({ $0[hash] }) { return library }
        let library = PluginLibrary(
            contentHash: hash, byteCount: bytes.count, interface: try interface(of: bytes, file.name))
        loaded.withLock { $0[hash] = library }
        return library
    }

    static func contentHash(of file: PluginDirectories.File) throws(PluginError) -> String {
        ContentHash.of(try read(file))
    }

    static func read(_ file: PluginDirectories.File) throws(PluginError) -> Data {
        guard let bytes = FileManager.default.contents(atPath: file.path) else {
            throw PluginError(
                .cannotLoad, subject: file.name,
                message: "cannot be loaded: '\(file.path)' cannot be read; check that it is there, and its permissions")
        }
        return bytes
    }

    /// Loads a library from its bytes.
    /// - Throws: `cannotLoad`.
    static func handle(of bytes: Data, _ name: String) throws(PluginError) -> UnsafeMutableRawPointer {
        var reason = [CChar](repeating: 0, count: 512)
        let handle = bytes.withUnsafeBytes { bytes in
            reason.withUnsafeMutableBufferPointer { spool_load_library(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) }
        }
        guard let handle else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw PluginError(.cannotLoad, subject: name, message: "cannot be loaded: \(text)")
        }
        return handle
    }

    private static func interface(of bytes: Data, _ name: String) throws(PluginError) -> Interface {
        let handle = try handle(of: bytes, name)
        var declaration = spool_plugin()
        if spool_find_declaration(handle, &declaration) != 0 { return .own(try OwnPlugin(declaration, name)) }
        var functions = spool_frei0r()
        guard spool_find_frei0r(handle, &functions) != 0 else {
            throw PluginError(.unusable, subject: name, message: "is neither a frei0r plug-in nor one for Spool")
        }
        return .frei0r(try Frei0rPlugin(functions, name))
    }
}
