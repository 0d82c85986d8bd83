// Describes a change for the audit log: the members that differ, without secrets, limited in size.
import { MAX_AUDIT_SIDE_BYTES } from "../../protocol/audit/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

type Shown = Readonly<Record<string, unknown>>;

export interface AuditChange {
  /** Null for a creation. */
  readonly before: Record<string, unknown> | null;
  /** Null for a deletion. */
  readonly after: Record<string, unknown> | null;
}

/** Member names, at any depth, whose values are replaced by a marker. */
const SECRET = /(?:^|[_-])(?:headers|secret|password|token|api_?key|authorization)$/i;
const ADDRESS = /(?:^|_)url$/i;
const HIDDEN = "(hidden)";
/** Matches the pattern of secrets but contains credential ids, which the audit log is meant to show. */
const IDS = "secret_headers";
/** Members that are not recorded: the entry has its own time. */
const UNRECORDED: ReadonlySet<string> = new Set(["updated_at", "last_used_at"]);

/** @param before As the API shows it; likewise `after`. */
export function auditChange(before: object | null, after: object | null): AuditChange {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  const changed = [...names].filter(
    (name) =>
      !UNRECORDED.has(name) &&
      (!before || !after || JSON.stringify(old[name]) !== JSON.stringify(fresh[name])),
  );
  return { before: before && pick(old, changed), after: after && pick(fresh, changed) };
}

function membersOf(value: object | null): Shown {
  return (value ?? {}) as Shown;
}

function pick(value: Shown, names: readonly string[]): Record<string, unknown> {
  const members = names
    .filter((name) => value[name] !== undefined)
    .map((name) => {
      const shown = hideSecrets(name, value[name]);
      return { name, shown, bytes: utf8Bytes(JSON.stringify({ [name]: shown })) };
    });
  // Smallest first, so that one long text does not displace the other changes.
  let left = MAX_AUDIT_SIDE_BYTES;
  const isTooLarge = new Set<string>();
  for (const { name, bytes } of members.toSorted((one, other) => one.bytes - other.bytes)) {
    if (bytes > left) isTooLarge.add(name);
    else left -= bytes;
  }
  return Object.fromEntries(
    members.map(({ name, shown, bytes }) => [
      name,
      isTooLarge.has(name) ? { omitted_bytes: bytes } : shown,
    ]),
  );
}

function hideSecrets(name: string, value: unknown): unknown {
  if (value === null || value === undefined || name === IDS) return value;
  if (SECRET.test(name)) {
    return typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.keys(value).map((key) => [key, HIDDEN]))
      : HIDDEN;
  }
  if (ADDRESS.test(name) && typeof value === "string") return withoutQuery(value);
  if (Array.isArray(value)) return value.map((item) => hideSecrets("", item));
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, hideSecrets(key, item)]),
  );
}

/** Removes the query of a URL, which often contains keys. */
function withoutQuery(url: string): string {
  const query = url.search(/[?#]/);
  return query === -1 ? url : `${url.slice(0, query + 1)}${HIDDEN}`;
}
