/// The name and language that players show for a sound track.
package struct SoundTrackTags: Hashable, Sendable, Codable {
    /// An ISO 639-2 code; nil where it is not known.
    package var language: String?
    package var title: String?

    package init(language: String? = nil, title: String? = nil) {
        self.language = language
        self.title = title
    }
}

/// The mix of one sound track of a film that has several.
package struct SoundTrackMix: Hashable, Sendable, Codable {
    package var tags: SoundTrackTags
    package var inputs: [AudioInput]
    /// The groups whose volume, pan or filters change the sounds in them; nil where there are none.
    package var groups: [SoundGroup]?

    package init(tags: SoundTrackTags, inputs: [AudioInput], groups: [SoundGroup]? = nil) {
        self.tags = tags
        self.inputs = inputs
        self.groups = groups
    }
}

/// A sound track beside a film's first one: its segments, and how they are joined and encoded.
package struct FurtherSoundtrack: Hashable, Sendable, Codable {
    package var segments: [AudioSegment]
    package var plan: SoundtrackPlan

    package init(segments: [AudioSegment], plan: SoundtrackPlan) {
        self.segments = segments
        self.plan = plan
    }
}

/// The sound tracks of a film that has several, as the stitch writes them.
package struct StitchedSounds: Hashable, Sendable, Codable {
    /// A track beside the first.
    package struct Further: Hashable, Sendable, Codable {
        /// The encoded soundtrack.
        package var key: ArtifactKey
        package var tags: SoundTrackTags

        package init(key: ArtifactKey, tags: SoundTrackTags) {
            self.key = key
            self.tags = tags
        }
    }

    /// The tags of the first track, which plays unless a viewer chooses another.
    package var first: SoundTrackTags
    package var others: [Further]

    package init(first: SoundTrackTags, others: [Further]) {
        self.first = first
        self.others = others
    }
}
