import ArgumentParser
import Media
import ProcessIsolation
import Rendering

/// `spool-render serve` takes jobs from standard input, one per line.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Take rendering jobs from standard input.")

    @Flag(help: "Limit memory, time and output, and cut the process off the network, for untrusted drafts and sources.")
    var limited = false

    @Option(help: "Megabytes of memory, where it is limited.")
    var memory = 4096

    @Option(help: "Seconds that a probe may take, in addition to the time to read its file at 10 MB/s, where it is limited.")
    var probeSeconds = 600

    @Option(help: "Seconds that the storage may take to answer one read of a source, where it is limited.")
    var readSeconds = 30

    @Option(help: "USER:GROUP by number: the user that it runs as, where it is limited and root starts it.")
    var user: String?

    @Option(help: "The directory of the control group that it enters, where it is limited.")
    var controlGroup: String?

    @Option(help: "Layers of the sandbox (spool-render sandbox), separated by commas, without which it takes no job.")
    var require: String?

    @Option(
        help: ArgumentHelp("Layers of the sandbox, separated by commas, that are left out, for tests.", visibility: .hidden))
    var omit: String?

    func validate() throws {
        guard user == nil || limited else { throw ValidationError("--user needs --limited") }
        guard controlGroup == nil || limited else { throw ValidationError("--control-group needs --limited") }
        _ = try ProcessIdentity(user)
        _ = try layers(require, "--require") + layers(omit, "--omit")
    }

    func run() throws {
        guard limited else { return try ChildLoop().run() }
        let probeTime = ProbeTimeLimit(base: .seconds(probeSeconds))
        let limits = ProcessLimits(
            memory: memory, probeTime: probeTime, readTime: .seconds(readSeconds), user: try ProcessIdentity(user)?.numbers,
            controlGroup: controlGroup.map { ControlGroup(directory: $0) },
            requiredLayers: try layers(require, "--require"), omittedLayers: try layers(omit, "--omit"))
        try ChildLoop(limits: limits).run()
    }

    private func layers(_ list: String?, _ option: String) throws -> [SandboxLayer] {
        try (list ?? "").split(separator: ",").map { name in
            guard let layer = SandboxLayer(rawValue: String(name)) else {
                let all = SandboxLayer.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(option) takes layers of the sandbox, which are \(all); got '\(name)'")
            }
            return layer
        }
    }
}

/// A user and a group by number, as `--user` names them.
struct ProcessIdentity {
    let numbers: (userID: UInt32, groupID: UInt32)

    /// - Throws: `ValidationError` for anything but two numbers, or for root.
    init?(_ text: String?) throws {
        guard let text else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
        guard parts.count == 2, let userID = parts[0], let groupID = parts[1], userID != 0 else {
            throw ValidationError("--user takes two numbers, such as 65534:65534, and not root's; got '\(text)'")
        }
        numbers = (userID, groupID)
    }
}
