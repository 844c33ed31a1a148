import ArgumentParser

/// `spool record`: records clips one after another and makes a draft of them.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record clips from files, pipes and streams; they become a draft.",
        discussion: """
            A recording is a directory on this machine, or the id of one on a farm:
              spool record new party --set maxDuration=15
              ffmpeg ... -f matroska - | spool record append party - --speed 2
              spool record append party clip.mp4
              spool record finish party
            """,
        subcommands: [
            New.self, Append.self, Stop.self, Status.self, Snapshot.self, Change.self, Music.self, DiscardLast.self,
            DiscardClip.self, DiscardAll.self, Discard.self, Finish.self,
        ])

    /// The argument that names a recording.
    struct Named: ParsableArguments {
        @Argument(help: "The recording's directory, or its id on the farm.")
        var recording: String

        @OptionGroup var server: ServerOptions

        @Flag(help: "Print the recording as JSON.")
        var json = false
    }
}
