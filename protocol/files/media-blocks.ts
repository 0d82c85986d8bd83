// Validation of images and files in requests. Stored messages may hold any address: logs older than this check are read
// unchanged (`protocol/messages/blocks.ts`).
import * as z from "zod";

import { parseFileAddress } from "../file-address.ts";
import { isJsonObject } from "../json-object.ts";
import type { ContentBlock } from "../messages/blocks.ts";
import {
  Base64SourceSchema,
  DataBlockSchema,
  TextBlockSchema,
  UrlSourceSchema,
} from "../messages/blocks.ts";

const DATA_TYPE = /^data:([a-z]+\/[a-z0-9.+-]+)[;,]/i;
/**
 * Media types that models and apps display. Excluded are documents that can run scripts in the page that opens them:
 * HTML, SVG and any other XML, which browsers recognise by a type ending in `+xml`.
 */
const KNOWN_TYPES =
  /^(?:(?:image|audio|video)\/(?!svg|[a-z0-9.+-]*xml$)[a-z0-9.+-]+|text\/(?:plain|csv|markdown)|application\/(?:pdf|json))$/i;

/** Whether models and apps display it, without parameters. */
export function isDisplayed(mediaType: string): boolean {
  return KNOWN_TYPES.test(mediaType);
}

const WRONG_SCHEME = "the address of a picture or a file begins with https:// or data:";
const WRONG_TYPE =
  "a data: address holds an image (no SVG or other XML), audio, video, text/plain, text/csv, text/markdown, application/pdf or application/json; send anything else as a base64 source";

/** A type and a subtype (RFC 6838), with parameters; `image/*` stands for one that an older client did not say. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/(?:\*|[a-z0-9!#$&^_.+-]{1,127})(?:\s*;.{0,200})?$/i;
/** Names that are often written in place of a media type. */
const MEANT_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  image: "image/jpeg",
  pdf: "application/pdf",
  file: "application/octet-stream",
  json: "application/json",
  text: "text/plain",
  txt: "text/plain",
  csv: "text/csv",
  mp3: "audio/mpeg",
  audio: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  video: "video/mp4",
};

/**
 * The reason that a text is refused as a media type, or null. The model's adapter knows which types the model takes.
 */
export function findMediaTypeProblem(type: string): string | null {
  if (MEDIA_TYPE.test(type)) return null;
  const name = type.toLowerCase().replace(/^\./, "");
  const meant = Object.hasOwn(MEANT_TYPES, name) ? MEANT_TYPES[name] : undefined;
  return meant === undefined
    ? "is no media type; send one such as image/jpeg"
    : `is no media type; did you mean \`${meant}\`?`;
}

/**
 * The reason that a URL is refused, or null when it is accepted. Accepted URLs are passed on to models and shown to
 * apps.
 */
export function findAddressProblem(address: string): string | null {
  if (/^https:\/\//i.test(address)) return null;
  // A local platform has plain addresses; whether a file is its own is checked with its session.
  if (parseFileAddress(address)) return null;
  if (!/^data:/i.test(address)) return WRONG_SCHEME;
  const [, type = ""] = DATA_TYPE.exec(address) ?? [];
  return KNOWN_TYPES.test(type) ? null : WRONG_TYPE;
}

/** The URL is normalised. */
export const MediaAddressSchema = z
  .url({ normalize: true, abort: true })
  .superRefine((address, context) => {
    const message = findAddressProblem(address);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

/** The media type of a picture or a file in a request, which models and apps go by. */
const MediaTypeSchema = z.string().superRefine((type, context) => {
  const message = findMediaTypeProblem(type);
  if (message !== null) context.addIssue({ code: "custom", message });
});

/** @public */
export const MediaUrlSourceSchema = UrlSourceSchema.extend({
  url: MediaAddressSchema,
  media_type: MediaTypeSchema,
}).meta({ id: "MediaUrlSource" });

const MediaBase64SourceSchema = Base64SourceSchema.extend({ media_type: MediaTypeSchema });

/** @public */
export const MediaBlockSchema = DataBlockSchema.extend({
  source: z.discriminatedUnion("type", [MediaBase64SourceSchema, MediaUrlSourceSchema]),
}).meta({ id: "MediaBlockInput" });

const ANSWERS_A_CALL =
  "a tool's result is no content: answer its waiting call with EXTERNAL_EXECUTION_RESULT at POST …/events";

export const TextOrMediaBlockSchema = z.discriminatedUnion(
  "type",
  [TextBlockSchema, MediaBlockSchema],
  { error: ({ input }) => (isToolResult(input) ? ANSWERS_A_CALL : undefined) },
);

function isToolResult(block: unknown): boolean {
  return isJsonObject(block) && block["type"] === "tool_result";
}

/** The first refused URL in a message's blocks, with its position and the reason. */
export function findBlockProblem(
  blocks: readonly ContentBlock[],
): { readonly path: readonly (string | number)[]; readonly message: string } | null {
  for (const [index, block] of blocks.entries()) {
    const found = findIn(block);
    if (found) return { path: [index, ...found.path], message: found.message };
  }
  return null;
}

function findIn(block: ContentBlock): ReturnType<typeof findBlockProblem> {
  switch (block.type) {
    case "data": {
      const { source } = block;
      const message = source.type === "url" ? findAddressProblem(source.url) : null;
      return message === null ? null : { path: ["source", "url"], message };
    }
    case "hint":
      return findInList("hint", block.hint);
    case "tool_result":
      return findInList("output", block.output);
    default:
      return null;
  }
}

function findInList(
  member: string,
  blocks: string | readonly ContentBlock[],
): ReturnType<typeof findBlockProblem> {
  const found = typeof blocks === "string" ? null : findBlockProblem(blocks);
  return found && { path: [member, ...found.path], message: found.message };
}
