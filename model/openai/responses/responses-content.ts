// Converts content blocks to the input parts of the Responses API: text, images, files.
import type {
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputText,
} from "openai/resources/responses/responses";

import type { DataBlock, TextBlock } from "../../../protocol/messages/blocks.ts";
import { noteOfData } from "../../conversation/describe-data.ts";
import { imageTypeOf } from "../../conversation/image-types.ts";
import { inlineData } from "../../conversation/inline-data.ts";

export type InputPart = ResponseInputText | ResponseInputImage | ResponseInputFile;

/** Empty texts are left out. */
export function toInputParts(blocks: readonly (TextBlock | DataBlock)[]): InputPart[] {
  return blocks.flatMap((block) =>
    block.type === "text" ? toInputText(block.text) : [toInputPart(block)],
  );
}

/** Data of other types becomes a text note with its name, type and URL. */
export function toInputPart(block: DataBlock): InputPart {
  const inline = inlineData(block);
  const given = inline?.media_type ?? block.source.media_type.toLowerCase();
  const image = imageTypeOf(given);
  const media_type = image ?? given;
  const url = block.source.type === "url" ? block.source.url : "";
  if (!inline && !/^https?:/i.test(url)) return { type: "input_text", text: noteOfData(block) };
  const address = inline ? `data:${media_type};base64,${inline.data}` : url;
  if (image !== null) {
    return { type: "input_image", image_url: address, detail: "auto" };
  }
  if (media_type === "application/pdf") {
    return inline
      ? { type: "input_file", filename: block.name ?? "file.pdf", file_data: address }
      : { type: "input_file", file_url: address };
  }
  return { type: "input_text", text: noteOfData(block) };
}

export function toInputText(text: string): ResponseInputText[] {
  return text === "" ? [] : [{ type: "input_text", text }];
}
