// Converts content blocks to those of the Messages API: text, images, PDF.
import type {
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import { noteOfData } from "../conversation/describe-data.ts";
import { COMMON_IMAGES } from "../conversation/image-types.ts";
import { inlineData } from "../conversation/inline-data.ts";

const PDF = "application/pdf";

export type ShownBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

/** Texts without words are left out, because the API refuses them. */
export function toBlocks(blocks: readonly (TextBlock | DataBlock)[]): ShownBlock[] {
  return blocks.flatMap((block) => (block.type === "text" ? toText(block.text) : [toShown(block)]));
}

/** Data of other types becomes a text note with its name, type and URL. */
export function toShown(block: DataBlock): ShownBlock {
  const inline = inlineData(block);
  const media_type = inline?.media_type ?? block.source.media_type.toLowerCase();
  const image = Object.hasOwn(COMMON_IMAGES, media_type) ? COMMON_IMAGES[media_type] : undefined;
  const isPdf = media_type === PDF;
  if (inline) {
    const { data } = inline;
    if (image) return { type: "image", source: { type: "base64", media_type: image, data } };
    if (isPdf) return { ...titleOf(block), source: { type: "base64", media_type: PDF, data } };
  } else if (block.source.type === "url" && /^https?:/i.test(block.source.url)) {
    const { url } = block.source;
    if (image) return { type: "image", source: { type: "url", url } };
    if (isPdf) return { ...titleOf(block), source: { type: "url", url } };
  }
  return { type: "text", text: noteOfData(block) };
}

export function toText(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function titleOf({ name }: DataBlock): Pick<DocumentBlockParam, "type" | "title"> {
  return { type: "document", ...(name && { title: name }) };
}
