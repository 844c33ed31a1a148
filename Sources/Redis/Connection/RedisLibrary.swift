import CHiredis

/// The library that speaks with Redis.
package enum RedisLibrary {
    /// The name and version of the library. hiredis tells its version only to the compiler.
    package static var version: (name: String, version: String) {
        ("hiredis", "\(HIREDIS_MAJOR).\(HIREDIS_MINOR).\(HIREDIS_PATCH)")
    }
}
