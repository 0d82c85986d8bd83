// Shapes that several resources share.
import * as z from "zod";

import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, MAX_METADATA_BYTES } from "../requests/limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";

/** The client's own labels on a resource: an object of at most {@link MAX_METADATA_BYTES} as JSON. */
export const MetadataSchema = z
  .record(z.string(), z.json())
  .refine((metadata) => utf8Bytes(JSON.stringify(metadata)) <= MAX_METADATA_BYTES, {
    message: `metadata may take ${MAX_METADATA_BYTES} bytes as JSON at most`,
  })
  .meta({ id: "Metadata", description: "The client's own labels: at most 4,096 bytes as JSON." });

export const NameSchema = z.string().trim().min(1).max(200);

/** A position in a session's stream: a seq, or 0 before the first event. */
export const CursorSchema = z.number().int().nonnegative();

/** UTC, ISO 8601 with milliseconds and Z. */
export const TimestampSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ id: "Timestamp", description: "UTC, ISO 8601 with milliseconds and Z." });

export const PageQuerySchema = z.strictObject({
  page: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT),
});
export type PageQuery = z.infer<typeof PageQuerySchema>;

/** `next_page` is opaque; give it back as `?page=`. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_page: string | null;
}

/** A page of a list: {@link Page} of `item`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_page: z.string().nullable(),
  });
}
