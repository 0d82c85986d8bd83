// What an entry of the audit says about a change: the members that differ, without secrets, and not too large.
import { MAX_AUDIT_SIDE_BYTES } from "../../protocol/limits/audit.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

type Shown = Readonly<Record<string, unknown>>;

export interface AuditChange {
  /** Null when there was nothing. */
  readonly before: Record<string, unknown> | null;
  /** Null when nothing is left. */
  readonly after: Record<string, unknown> | null;
}

/** In whatever depth: their values are never written, only that there are some. */
const SECRET = /(?:^|[_-])(?:headers|secret|password|token|api_?key|authorization)$/i;
const ADDRESS = /(?:^|_)url$/i;
const HIDDEN = "(hidden)";
/** Called like secrets, and holds the ids of credentials: which one a header was given is what an audit is for. */
const IDS = "secret_headers";
/** The entry has a time of its own. */
const UNTOLD: ReadonlySet<string> = new Set(["updated_at", "last_used_at"]);

/** @param before As the API shows it, as `after` is. */
export function auditChange(before: object | null, after: object | null): AuditChange {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  const changed = [...names].filter(
    (name) =>
      !UNTOLD.has(name) &&
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
  // The smallest have room first: one long text does not push out what else was changed.
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

/** Queries of addresses often hold keys. */
function withoutQuery(url: string): string {
  const query = url.search(/[?#]/);
  return query === -1 ? url : `${url.slice(0, query + 1)}${HIDDEN}`;
}
