// Headers that a tenant sets on the platform's requests. Names and values that HTTP cannot carry are refused when the
// definition is written, not at the first call.
import * as z from "zod";

import { MAX_HEADER_CHARACTERS, MAX_HEADERS } from "../tools/limits.ts";

/** Headers that the platform sets itself; tool definitions cannot set them. Lower case. */
export const PLATFORM_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "transfer-encoding",
  "webhook-id",
  "webhook-signature",
  "webhook-timestamp",
]);

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Printable ASCII without spaces at its ends: the values that all servers read alike. */
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

const name = z.string().max(256).regex(NAME, { message: "this is no name of an HTTP header" });

export const HeaderFieldsSchema = z
  .record(
    name,
    z.string().max(MAX_HEADER_CHARACTERS).regex(VALUE, {
      message: "a header's value is printable ASCII, without spaces at its ends",
    }),
  )
  .refine(areFew, { message: `there may be ${MAX_HEADERS} headers at most` })
  .refine(areNamesDistinct, { message: "two names differ in their case only" });

/** Credential ids by the name of the header in which the secret is sent. */
export const SecretHeadersSchema = z
  .record(name, z.string().min(1).max(64))
  .refine(areFew, { message: `there may be ${MAX_HEADERS} headers at most` })
  .refine(areNamesDistinct, { message: "two names differ in their case only" });

function areFew(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).length <= MAX_HEADERS;
}

function areNamesDistinct(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers);
  return new Set(names.map((one) => one.toLowerCase())).size === names.length;
}
