// The parts of a message as the input of a reply. Media are checked as those of any request, and belong to the session.
import * as z from "zod";

import {
  extensionField,
  extensionParts,
  ReceivedSchemaSchema,
  toBlock,
} from "../../protocol/a2a/read-message.ts";
import type { ReceivedMessage, ReceivedPart } from "../../protocol/a2a/read-requests.ts";
import { isDisplayed, TextOrMediaBlockSchema } from "../../protocol/files/media-blocks.ts";
import { type InputMessage, InputMessageSchema } from "../../protocol/replies/contract.ts";
import { NO_BASE64, putRight } from "../../protocol/put-right.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { mediaPlace } from "../files/media-place.ts";
import { settleMedia } from "../files/settle-media.ts";
import { HttpError } from "../http-error.ts";
import { checkFields } from "../requests/check-fields.ts";
import { A2aError, invalidField } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";

const BlocksSchema = z.array(TextOrMediaBlockSchema);

type Blocks = z.output<typeof BlocksSchema>;

/** Checked before anything is opened or begun. @throws A2aError for what no model is shown, and for data that is none. */
export function readBlocks({ parts }: ReceivedMessage): Blocks {
  for (const part of parts) checkMediaType(part);
  const schemas = new Set(extensionParts(parts).schemas.map(({ index }) => index));
  const blocks = parts.filter((_, index) => !schemas.has(index)).map(toBlock);
  if (blocks.every((block) => block.type === "text" && block.text.trim() === "")) {
    throw invalidField("message.parts", "a message says something");
  }
  const read = checkFields(BlocksSchema, blocks, ["message", "parts"]);
  if (read.ok) {
    const isWrong = read.value.some((block) => block.type === "data" && !putRight(block.source));
    if (isWrong) throw invalidField("message.parts", NO_BASE64);
    return read.value;
  }
  throw new HttpError("validation_failed", "the message's parts do not fit", {
    errors: read.errors,
  });
}

/** The schema of the task's output, whose part is no content; undefined for a message without one. */
export function readOutputSchema({ parts }: ReceivedMessage): JsonSchema | undefined {
  const [found, another] = extensionParts(parts).schemas;
  if (!found) return undefined;
  if (another) throw invalidField("message.parts", "a message has one output_schema at most");
  const { index, value } = found;
  const read = checkFields(ReceivedSchemaSchema, value, ["message", "parts", index, "data"]);
  if (read.ok) return read.value.output_schema;
  throw new HttpError("validation_failed", `${extensionField(index)} has no schema of an output`, {
    errors: read.errors,
  });
}

/** The message under its own id, for the session that has its context. */
export async function toInput(
  { context }: A2aCall,
  { messageId }: ReceivedMessage,
  blocks: Blocks,
  sessionId: string,
): Promise<InputMessage> {
  const place = mediaPlace(context, sessionId);
  const content = await settleMedia(context, place, blocks, "#/message/parts");
  return InputMessageSchema.parse({ id: messageId, content });
}

function checkMediaType(part: ReceivedPart): void {
  if (part.kind !== "raw" && part.kind !== "url") return;
  const [type = ""] = (part.mediaType ?? "").split(";");
  if (isDisplayed(type.trim())) return;
  const message =
    type === ""
      ? "a part with raw or url says its mediaType"
      : "models are shown pictures, audio, video, PDF, plain text, CSV, Markdown and JSON";
  throw new A2aError({ name: "content_type_not_supported", message });
}
