// Converts content blocks to the parts of a chat completions user message: text, images, audio, PDF.
import type { ChatCompletionContentPart } from "openai/resources";

import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import { describeData } from "../describe-data.ts";

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
  const media_type = source.media_type.toLowerCase();
  const address = source.type === "url" ? source.url : `data:${media_type};base64,${source.data}`;
  if (media_type.startsWith("image/") && /^(?:https?|data):/i.test(address)) {
    return { type: "image_url", image_url: { url: address } };
  }
  if (source.type === "base64") {
    const format = AUDIO_FORMATS[media_type];
    if (format) return { type: "input_audio", input_audio: { data: source.data, format } };
    if (media_type === "application/pdf") {
      return { type: "file", file: { filename: block.name ?? "file.pdf", file_data: address } };
    }
    return { type: "text", text: `[${describeData(block)}, which this model cannot be shown]` };
  }
  return { type: "text", text: `[${describeData(block)} at ${source.url}]` };
}
