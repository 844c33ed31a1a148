/// The database's migrations: the SQL files of this folder in order, built into the program.
///
/// They only go forward: a file that has been released never changes. The next change is the next file, with an entry
/// here and a line in `Package.swift`.
package enum Migrations {
    package struct Migration: Sendable {
        /// From 1, rising.
        package let version: Int
        package let name: String
        package let sql: String
    }

    package static let all: [Migration] = [
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
        Migration(
            version: 9, name: "farm_identity", sql: String(decoding: PackageResources._009_farm_identity_sql, as: UTF8.self)),
        Migration(
            version: 10, name: "compile_attempts",
            sql: String(decoding: PackageResources._010_compile_attempts_sql, as: UTF8.self)),
        Migration(version: 11, name: "words", sql: String(decoding: PackageResources._011_words_sql, as: UTF8.self)),
        Migration(
            version: 12, name: "field_names", sql: String(decoding: PackageResources._012_field_names_sql, as: UTF8.self)),
        Migration(version: 13, name: "lead", sql: String(decoding: PackageResources._013_lead_sql, as: UTF8.self)),
        Migration(version: 14, name: "history", sql: String(decoding: PackageResources._014_history_sql, as: UTF8.self)),
        Migration(
            version: 15, name: "queue_counts", sql: String(decoding: PackageResources._015_queue_counts_sql, as: UTF8.self)),
        Migration(
            version: 16, name: "cost_models", sql: String(decoding: PackageResources._016_cost_models_sql, as: UTF8.self)),
        Migration(
            version: 17, name: "job_demand", sql: String(decoding: PackageResources._017_job_demand_sql, as: UTF8.self)),
        Migration(
            version: 18, name: "priority_cap", sql: String(decoding: PackageResources._018_priority_cap_sql, as: UTF8.self)),
        Migration(
            version: 19, name: "placement", sql: String(decoding: PackageResources._019_placement_sql, as: UTF8.self)),
        Migration(
            version: 20, name: "fewer_indexes", sql: String(decoding: PackageResources._020_fewer_indexes_sql, as: UTF8.self)),
        Migration(version: 21, name: "faults", sql: String(decoding: PackageResources._021_faults_sql, as: UTF8.self)),
        Migration(
            version: 22, name: "remote_sources",
            sql: String(decoding: PackageResources._022_remote_sources_sql, as: UTF8.self)),
        Migration(version: 23, name: "backlog", sql: String(decoding: PackageResources._023_backlog_sql, as: UTF8.self)),
        Migration(
            version: 24, name: "export_tags", sql: String(decoding: PackageResources._024_export_tags_sql, as: UTF8.self)),
        Migration(version: 25, name: "batches", sql: String(decoding: PackageResources._025_batches_sql, as: UTF8.self)),
        Migration(version: 26, name: "webhooks", sql: String(decoding: PackageResources._026_webhooks_sql, as: UTF8.self)),
        Migration(
            version: 27, name: "publications", sql: String(decoding: PackageResources._027_publications_sql, as: UTF8.self)),
        Migration(
            version: 28, name: "batch_webhooks", sql: String(decoding: PackageResources._028_batch_webhooks_sql, as: UTF8.self)),
        Migration(
            version: 29, name: "removed_films", sql: String(decoding: PackageResources._029_removed_films_sql, as: UTF8.self)),
        Migration(
            version: 30, name: "keyed_answers", sql: String(decoding: PackageResources._030_keyed_answers_sql, as: UTF8.self)),
        Migration(
            version: 31, name: "worker_tokens", sql: String(decoding: PackageResources._031_worker_tokens_sql, as: UTF8.self)),
        Migration(version: 32, name: "pictures", sql: String(decoding: PackageResources._032_pictures_sql, as: UTF8.self)),
        Migration(
            version: 33, name: "interlaced_sources",
            sql: String(decoding: PackageResources._033_interlaced_sources_sql, as: UTF8.self)),
        Migration(version: 34, name: "streams", sql: String(decoding: PackageResources._034_streams_sql, as: UTF8.self)),
        Migration(
            version: 35, name: "picture_profiles",
            sql: String(decoding: PackageResources._035_picture_profiles_sql, as: UTF8.self)),
        Migration(
            version: 36, name: "dead_letters", sql: String(decoding: PackageResources._036_dead_letters_sql, as: UTF8.self)),
        Migration(
            version: 37, name: "token_life", sql: String(decoding: PackageResources._037_token_life_sql, as: UTF8.self)),
        Migration(
            version: 38, name: "admin_log", sql: String(decoding: PackageResources._038_admin_log_sql, as: UTF8.self)),
        Migration(version: 39, name: "quotas", sql: String(decoding: PackageResources._039_quotas_sql, as: UTF8.self)),
        Migration(
            version: 40, name: "job_quota", sql: String(decoding: PackageResources._040_job_quota_sql, as: UTF8.self)),
        Migration(
            version: 41, name: "farm_store", sql: String(decoding: PackageResources._041_farm_store_sql, as: UTF8.self)),
        Migration(
            version: 42, name: "urgent_exports", sql: String(decoding: PackageResources._042_urgent_exports_sql, as: UTF8.self)),
    ]
}
