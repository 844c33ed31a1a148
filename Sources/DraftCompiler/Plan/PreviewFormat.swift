import ExactTime
package import ExportPlan

/// How a draft is played while it is edited: scaled pictures in H.264 and short segments, so that a place that is sought is
/// soon there.
package struct PreviewFormat: Hashable, Sendable {
    /// The size of the pictures, with even sides.
    package var size: FrameSize

    package init(size: FrameSize) {
        self.size = size
    }

    /// The length of picture segments in seconds, where the sources' keyframes allow it.
    static let segment = SegmentLength(usual: Rational(2))

    /// The sound is encoded segment by segment, so nothing that hears the whole of it is applied: mastering, and the filters
    /// of the mix.
    func apply(to format: inout OutputFormat) {
        format.isPreview = true
        format.video?.renditions = [size]
        (format.mastering, format.mixFilters) = (nil, nil)
    }
}
