// Files of the tests.
import { env } from "cloudflare:workers";

import type { StoredFile } from "../../../protocol/files/contract.ts";
import { ask, type Answer, type Call } from "../support/api.ts";

export const PNG = withBytes("\x89PNG\r\n\x1a\n", 200);
export const JPEG = withBytes("\xff\xd8\xff\xe0", 300);

/** Bytes that begin with a signature; the rest differs from byte to byte. */
export function withBytes(start: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
  bytes.set(Uint8Array.from(start, (character) => character.charCodeAt(0)));
  return bytes;
}

/** Base64 of a picture of 100 KB. */
export const LARGE = btoa("\x89PNG\r\n\x1a\n" + "x".repeat(100_000));

/** A data block of a picture. */
export function block(source: object): object {
  return { type: "data", source: { media_type: "image/png", ...source } };
}

export function upload(
  call: Call,
  body: BodyInit,
  { query = "", type }: { readonly query?: string; readonly type?: string } = {},
): Promise<Answer<StoredFile>> {
  const headers = { ...call.headers, ...(type !== undefined && { "Content-Type": type }) };
  return ask<StoredFile>("POST", `/v1/files${query}`, { ...call, body, headers });
}

/** The names of a tenant's objects. */
export async function listKeys(tenantId: string): Promise<readonly string[]> {
  const { objects } = await env.FILES.list({ prefix: `tenant/${tenantId}/` });
  return objects.map(({ key }) => key);
}
