import type { McpServer } from "../../../sdk/index.ts";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";

/** Draft of a server: fields are text, but for the form that a schema makes. */
interface ServerDraft {
  readonly name: string;
  readonly url: string;
  readonly credential_id: string;
  /** A header a line: `Name: value`. */
  readonly headers: string;
  /** A header a line: `Name: credential id`. */
  readonly secret_headers: string;
  /** As the API has it; undefined for a server without OAuth. */
  readonly oauth: JsonObject | undefined;
  readonly stateful: boolean;
  readonly timeout_ms: string;
  readonly max_bytes: string;
}

export const NEW_SERVER: ServerDraft = {
  name: "",
  url: "",
  credential_id: "",
  headers: "",
  secret_headers: "",
  oauth: undefined,
  stateful: false,
  timeout_ms: "30000",
  max_bytes: "1000000",
};

export function draftOf(server: McpServer): ServerDraft {
  return {
    name: server.name,
    url: server.url,
    credential_id: server.credential_id ?? "",
    headers: linesOf(server.headers),
    secret_headers: linesOf(server.secret_headers),
    oauth: server.oauth,
    stateful: server.stateful,
    timeout_ms: String(server.timeout_ms),
    max_bytes: String(server.max_bytes),
  };
}

/** As the API takes it; members that are empty are left out. @throws {Error} for a line that is no header. */
export function serverBody(draft: ServerDraft) {
  const credential_id = draft.credential_id.trim();
  const headers = headersOf(draft.headers);
  const secret_headers = headersOf(draft.secret_headers);
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    stateful: draft.stateful,
    timeout_ms: Number(draft.timeout_ms),
    max_bytes: Number(draft.max_bytes),
    ...(credential_id !== "" && { credential_id }),
    ...(headers && { headers }),
    ...(secret_headers && { secret_headers }),
    // The platform checks it, and says at which field something is wrong.
    ...(draft.oauth && { oauth: draft.oauth as McpServer["oauth"] }),
  };
}

/** The same for a change: what is empty now is taken away. @throws as {@link serverBody} */
export function serverChange(draft: ServerDraft) {
  const taken = { credential_id: null, headers: null, secret_headers: null, oauth: null };
  return { ...taken, ...serverBody(draft) };
}

function linesOf(headers: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Null when there are none. */
function headersOf(text: string): Record<string, string> | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error(`“${line.trim()}” is no header: write “Name: value”.`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
