// Headers that a tenant gives for requests of ours. A name or a value that HTTP cannot carry is refused when it
// is written, not at the first call.
import { z } from "zod";

import { MAX_HEADER_CHARACTERS, MAX_HEADERS } from "../limits.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Printable ASCII, no space at either end: what every server reads the same. */
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

export const HeaderFieldsSchema = z
  .record(
    z.string().max(256).regex(NAME, { message: "this is no name of an HTTP header" }),
    z.string().max(MAX_HEADER_CHARACTERS).regex(VALUE, {
      message: "a header's value is printable ASCII, without spaces at its ends",
    }),
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, {
    message: `there may be ${MAX_HEADERS} headers at most`,
  })
  .refine(areNamesDistinct, { message: "two names differ in their case only" });

function areNamesDistinct(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}
