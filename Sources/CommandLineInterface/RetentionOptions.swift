import ArgumentParser
package import Coordinator
package import LocalFarm

/// Options for how long a farm keeps what. docs/retention.md explains them.
package struct RetentionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Age at which jobs of finished exports move to the history.", valueName: "age"))
    var keepJobs: String?

    @Option(help: ArgumentHelp("Finished exports whose jobs stay, at most.", valueName: "count"))
    var keepJobsCount: String?

    @Option(help: ArgumentHelp("Age at which logs are cleared.", valueName: "age"))
    var keepLogs: String?

    @Option(help: ArgumentHelp("Age at which events are removed.", valueName: "age"))
    var keepEvents: String?

    @Option(help: ArgumentHelp("Age at which jobs are removed from the history.", valueName: "age"))
    var keepHistory: String?

    @Option(help: ArgumentHelp("Age at which old revisions of named drafts are removed.", valueName: "age"))
    var keepRevisions: String?

    @Option(help: ArgumentHelp("Revisions that each named draft keeps.", valueName: "count"))
    var keepRevisionsCount: String?

    @Option(help: ArgumentHelp("Age at which deliveries to webhooks are removed.", valueName: "age"))
    var keepDeliveries: String?

    @Option(help: ArgumentHelp("Age at which finished exports are removed.", valueName: "age"))
    var keepExports: String?

    @Option(help: ArgumentHelp("Finished exports that stay, at most.", valueName: "count"))
    var keepExportsCount: String?

    @Option(help: ArgumentHelp("Age at which operators' actions are removed from their log.", valueName: "age"))
    var keepAdminActions: String?

    package init() {}

    /// The settings that the command line gives.
    package var flags: [SettingKey: String?] {
        [
            .keepJobs: keepJobs, .keepJobsCount: keepJobsCount, .keepLogs: keepLogs, .keepEvents: keepEvents,
            .keepHistory: keepHistory, .keepRevisions: keepRevisions, .keepRevisionsCount: keepRevisionsCount,
            .keepDeliveries: keepDeliveries, .keepExports: keepExports, .keepExportsCount: keepExportsCount,
            .keepAdminActions: keepAdminActions,
        ]
    }

    /// How long the farm keeps what, by its settings.
    /// - Throws: `FarmSettings.Fault` for a value that is no age, number or size, and for values that contradict each
    ///   other.
    package static func read(_ settings: FarmSettings) throws -> RetentionPolicy {
        var policy = RetentionPolicy()
        policy.jobsAge = try settings.age(.keepJobs)
        policy.jobsCount = try settings.count(.keepJobsCount)
        policy.logsAge = try settings.age(.keepLogs)
        policy.eventsAge = try settings.age(.keepEvents)
        policy.historyAge = try settings.age(.keepHistory)
        policy.revisionsAge = try settings.age(.keepRevisions)
        policy.revisionsCount = try settings.integer(.keepRevisionsCount, in: 1...1_000_000_000)
        policy.deliveriesAge = try settings.age(.keepDeliveries)
        policy.exportsAge = try settings.age(.keepExports)
        policy.exportsCount = try settings.count(.keepExportsCount)
        policy.adminActionsAge = try settings.age(.keepAdminActions)
        policy.filmsAge = try settings.age(.keepFilms)
        policy.artifactsAge = try settings.age(.keepArtifacts)
        policy.artifactsBytes = try settings.size(.keepArtifactsSize)
        policy.sourcesAge = try settings.age(.keepSources)
        guard policy.faults.isEmpty else { throw FarmSettings.Fault(lines: policy.faults) }
        return policy
    }
}
