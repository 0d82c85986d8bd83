// Converts content blocks to the parts of a chat completions user message: text, images, audio, PDF.
import type { ChatCompletionContentPart } from "openai/resources";

import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import { noteOfData } from "../conversation/describe-data.ts";
import { imageTypeOf } from "../conversation/image-types.ts";
import { inlineData } from "../conversation/inline-data.ts";

export type UserPart = ChatCompletionContentPart;

const AUDIO_FORMATS: Readonly<Record<string, "wav" | "mp3">> = {
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/vnd.wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** A plain string for text only, the form that every endpoint accepts. */
export function toContent(blocks: readonly (TextBlock | DataBlock)[]): string | UserPart[] {
  const written = blocks.filter((block) => block.type !== "text" || block.text !== "");
  if (!written.some((block) => block.type === "data")) {
    return written.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  }
  return written.map((block) =>
    block.type === "text" ? { type: "text", text: block.text } : toPart(block),
  );
}

/** Data of other types becomes a text note with its name, type and URL. */
export function toPart(block: DataBlock): UserPart {
  const { source } = block;
  const inline = inlineData(block);
  const given = inline?.media_type ?? source.media_type.toLowerCase();
  const image = imageTypeOf(given);
  const media_type = image ?? given;
  const data = inline?.data;
  const address = source.type === "url" ? source.url : `data:${media_type};base64,${source.data}`;
  if (image !== null && /^(?:https?|data):/i.test(address)) {
    return { type: "image_url", image_url: { url: address } };
  }
  if (data !== undefined) {
    const format = AUDIO_FORMATS[media_type];
    if (format) return { type: "input_audio", input_audio: { data, format } };
    if (media_type === "application/pdf") {
      const file_data = `data:${media_type};base64,${data}`;
      return { type: "file", file: { filename: block.name ?? "file.pdf", file_data } };
    }
  }
  return { type: "text", text: noteOfData(block) };
}
