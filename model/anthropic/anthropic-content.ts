// Converts content blocks to those of the Messages API: text, images, PDF.
import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import { noteOfData } from "../conversation/describe-data.ts";
import { inlineData } from "../conversation/inline-data.ts";

export type ShownBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

const IMAGE_TYPES: Readonly<Record<string, Base64ImageSource["media_type"]>> = {
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/png": "image/png",
  "image/gif": "image/gif",
  "image/webp": "image/webp",
};

/** Texts without words are left out, because the API refuses them. */
export function toBlocks(blocks: readonly (TextBlock | DataBlock)[]): ShownBlock[] {
  return blocks.flatMap((block) => (block.type === "text" ? toText(block.text) : [toShown(block)]));
}

/** Data of other types becomes a text note with its name, type and URL. */
export function toShown(block: DataBlock): ShownBlock {
  const inline = inlineData(block);
  if (inline) {
    const image = IMAGE_TYPES[inline.media_type];
    const { data } = inline;
    if (image) return { type: "image", source: { type: "base64", media_type: image, data } };
    if (inline.media_type === "application/pdf") {
      return { ...titleOf(block), source: { type: "base64", media_type: "application/pdf", data } };
    }
  } else if (block.source.type === "url" && /^https?:/i.test(block.source.url)) {
    const { url, media_type } = block.source;
    if (media_type.toLowerCase() in IMAGE_TYPES) {
      return { type: "image", source: { type: "url", url } };
    }
    if (media_type.toLowerCase() === "application/pdf") {
      return { ...titleOf(block), source: { type: "url", url } };
    }
  }
  return { type: "text", text: noteOfData(block) };
}

export function toText(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function titleOf({ name }: DataBlock): Pick<DocumentBlockParam, "type" | "title"> {
  return { type: "document", ...(name && { title: name }) };
}
