/// The database's history: the SQL files of this folder in order, built into the program.
///
/// Forward only: a file that has been released never changes; the next change is the next file, and a line here and in
/// `Package.swift`.
public enum Migrations {
    public struct Migration: Sendable {
        /// From 1, without gaps.
        public let version: Int
        public let name: String
        public let sql: String
    }

    public static let all: [Migration] = [
        Migration(version: 1, name: "farm", sql: String(decoding: PackageResources._001_farm_sql, as: UTF8.self)),
        Migration(
            version: 2, name: "job_logs_and_indexes",
            sql: String(decoding: PackageResources._002_job_logs_and_indexes_sql, as: UTF8.self)),
        Migration(
            version: 3, name: "animated_pictures",
            sql: String(decoding: PackageResources._003_animated_pictures_sql, as: UTF8.self)),
        Migration(
            version: 4, name: "bitrate_jobs", sql: String(decoding: PackageResources._004_bitrate_jobs_sql, as: UTF8.self)),
        Migration(
            version: 5, name: "light_metadata",
            sql: String(decoding: PackageResources._005_light_metadata_sql, as: UTF8.self)),
        Migration(version: 6, name: "recordings", sql: String(decoding: PackageResources._006_recordings_sql, as: UTF8.self)),
        Migration(
            version: 7, name: "packet_facts", sql: String(decoding: PackageResources._007_packet_facts_sql, as: UTF8.self)),
        Migration(version: 8, name: "warnings", sql: String(decoding: PackageResources._008_warnings_sql, as: UTF8.self)),
    ]
}
