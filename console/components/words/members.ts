export type Members = Readonly<Record<string, unknown>>;

/** Whether a value of a log, which may be of a newer platform, has members to read. */
export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
