/// A text's picture and its metrics, for callers that place the text beside text of another library.
package struct MeasuredText: Sendable {
    package var picture: DrawnPicture
    /// The advance to the next letter, in pixels.
    package var width: Double
    /// The baseline of the first line, in pixels below the top of the text's box.
    package var baseline: Double
}
