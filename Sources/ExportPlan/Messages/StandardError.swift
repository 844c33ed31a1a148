import Glibc

/// Writes to standard error at once, without buffering.
package func printError(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        if count <= 0 { return }  // nobody reads it
        rest = rest.dropFirst(count)
    }
}
