/// Waits for a moment, as one turn of a loop that waits for a condition. The processor is left to what the test waits for.
/// - Throws: `CancellationError` when the test's time limit is over, so that the loop ends with it.
package func nextLook() async throws {
    try await Task.sleep(for: .milliseconds(1))
}
