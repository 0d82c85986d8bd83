import type { AppContext } from "../app-env.ts";
import type { Principal } from "../principal.ts";
import { readText } from "./read-body.ts";

/**
 * A hash that distinguishes requests with the same idempotency key: of the body, byte for byte, the query, and the
 * rights of the credential, so that a stored answer is only shown to callers who could have received it. A renewed
 * client token gives the same hash. The bytes of a file are not read for it: its headers tell files apart. The form of the answer (`Accept`, `?stream=`, `?format=`) is excluded.
 *
 * @param rights Of the credential, where it is no principal.
 */
export async function fingerprintOf(
  context: AppContext,
  rights = rightsOf(context.get("principal")),
): Promise<string> {
  const text = await textOf(context);
  const query = new URL(context.req.url).searchParams;
  query.delete("stream");
  query.delete("format");
  query.sort();
  const asked = `${rights}\n${query.toString()}\n${text}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(asked));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Headers that tell one file from another. */
const FILE_HEADERS = ["Content-Type", "Content-Length", "Content-Digest"];

async function textOf(context: AppContext): Promise<string> {
  const { body } = context.get("route");
  if (body === "none") return "";
  if (body !== "file") return readText(context);
  return FILE_HEADERS.map((name) => context.req.header(name) ?? "").join("\n");
}

function rightsOf(principal: Principal): string {
  switch (principal.kind) {
    case "tenant":
      return `tenant ${[...principal.scopes].sort().join(" ")}`;
    case "client_token":
      return `client_token ${[...principal.verbs].sort().join(" ")}`;
    case "room_token":
      return `room_token ${[...principal.verbs].sort().join(" ")}`;
    case "end_user":
      return `end_user ${principal.endUserId}`;
    case "operator":
      return principal.bearer.kind === "operator_key"
        ? principal.kind
        : `operator ${principal.rights.join(" ")}`;
    case "public":
      return principal.kind;
    default:
      return principal satisfies never;
  }
}
