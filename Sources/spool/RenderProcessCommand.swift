import ArgumentParser
import Rendering

/// `spool render-process`: what an export starts for itself. Takes jobs from standard input, a line each.
struct RenderProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render-process", abstract: "Take rendering jobs from standard input.", shouldDisplay: false)

    func run() throws { try ChildLoop().run() }
}
