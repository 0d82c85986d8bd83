import type { TextOrDataBlock } from "../../../messages/blocks.ts";

type MediaKind = "image" | "audio" | "video" | "document";

type AgUiSource =
  | { readonly type: "data"; readonly value: string; readonly mimeType: string }
  | { readonly type: "url"; readonly value: string; readonly mimeType: string };

/** A part of a user's message or of a result. */
export type AgUiContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: MediaKind;
      readonly source: AgUiSource;
      readonly metadata?: { readonly filename: string };
    };

export function toContentPart(block: TextOrDataBlock): AgUiContentPart {
  if (block.type === "text") return { type: "text", text: block.text };
  const { source } = block;
  const mimeType = source.media_type;
  return {
    type: mediaKind(mimeType),
    source:
      source.type === "url"
        ? { type: "url", value: source.url, mimeType }
        : { type: "data", value: source.data, mimeType },
    ...(block.name && { metadata: { filename: block.name } }),
  };
}

/** Any type other than image, audio and video is a document. */
function mediaKind(mediaType: string): MediaKind {
  const [kind] = mediaType.split("/");
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}
