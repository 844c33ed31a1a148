#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Removes a file if it is there.
func removeFile(_ path: String) {
    unlink(path)
}
