/** The files of `migrations/` that this code needs, in order. A test compares them with the folder. */
export const MIGRATIONS: readonly string[] = [
  "0000_baseline.sql",
  "0001_files.sql",
  "0002_costs.sql",
  "0003_console_routes.sql",
  "0004_console.sql",
  "0005_skills.sql",
  "0006_mcp.sql",
  "0007_token_issuers.sql",
  "0008_connections.sql",
  "0009_database_bytes.sql",
  "0010_catalogue_failures.sql",
  "0011_retired_versions.sql",
  "0012_end_user_share.sql",
  "0013_renamed_credentials.sql",
  "0014_session_titles.sql",
  "0015_reply_hours.sql",
];
