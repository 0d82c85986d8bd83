// Headers whose values are secrets. Every key with `agents:read` can read a definition, so a secret must not be in its
// `headers`: it is a credential that `secret_headers` names.
import type * as z from "zod";

import { PLATFORM_HEADERS } from "../schemas/header-fields.ts";

/** Shown in place of a secret in the `headers` of an agent version older than this check. */
export const REDACTED = "[redacted]";

const SECRET_PARTS = /authorization|cookie|token|secret|passw|credential|apikey|jwt/;
const SECRET_WORDS: ReadonlySet<string> = new Set(["auth", "bearer", "key", "keys", "pass", "pwd"]);

/** Decided by the header's name. Headers that the platform sets itself are never taken from a definition. */
export function isSecretHeader(header: string): boolean {
  const name = header.toLowerCase();
  if (PLATFORM_HEADERS.has(name)) return false;
  return SECRET_PARTS.test(name) || name.split(/[^a-z0-9]+/).some((word) => SECRET_WORDS.has(word));
}

/** Members of a definition that name headers. */
interface HeaderFields {
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly secret_headers?: Readonly<Record<string, unknown>> | null;
  readonly credential_id?: string | null;
}

/** The definition of a tool of any kind; kinds that send no headers have none of these members. */
interface ToolHeaders extends HeaderFields {
  readonly type: string;
}

/** Adds issues for headers that are set twice and for secrets in `headers`. */
export function refineToolHeaders(tools: readonly ToolHeaders[], context: z.RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    refineHeaderFields(tool, (field, header, message) =>
      context.addIssue({ code: "custom", path: [index, field, header], message }),
    );
  }
}

/** The same of one definition. @param refuse Told the member, the header in it, and what is wrong. */
export function refineHeaderFields(
  { headers, secret_headers, credential_id }: HeaderFields,
  refuse: (field: "headers" | "secret_headers", header: string, message: string) => void,
): void {
  for (const header of Object.keys(headers ?? {}).filter(isSecretHeader)) {
    refuse("headers", header, SECRET_IN_HEADERS);
  }
  const plain = new Set(Object.keys(headers ?? {}).map((header) => header.toLowerCase()));
  for (const header of Object.keys(secret_headers ?? {})) {
    const name = header.toLowerCase();
    if (PLATFORM_HEADERS.has(name)) {
      refuse("secret_headers", header, "the platform sets this header itself");
    } else if (plain.has(name)) {
      refuse("secret_headers", header, "`headers` has this header too; leave one of them out");
    } else if (name === "authorization" && credential_id) {
      refuse("secret_headers", header, "credential_id sends this header; leave one of them out");
    }
  }
}

const SECRET_IN_HEADERS =
  "a header of this name is a secret, and every key with agents:read could read it here; create a credential of type tool and name it in secret_headers";
