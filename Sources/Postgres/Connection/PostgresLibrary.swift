import CPostgres

/// The library that speaks with PostgreSQL.
package enum PostgresLibrary {
    /// The name and version of the library in use, which this loads. libpq writes 15.8 as 150008.
    package static var version: (name: String, version: String) {
        guard spool_load_libpq() == nil else { return ("libpq", "missing") }
        let code = PQlibVersion()
        return ("libpq", "\(code / 10000).\(code % 10000)")
    }
}
