// A message as an app gives it, and what is sent of it.
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ContentBlockInput } from "../../protocol/messages/blocks.ts";
import type { MessageInput } from "../resources/reply-input.ts";

type TextOrDataInput = Extract<ContentBlockInput, { type: "text" | "data" }>;

export interface MessageDraft {
  /** Of a text that `voice.text` gave: the platform takes one message of an id, however often it is sent. */
  readonly id?: string;
  readonly text?: string;
  /** Blocks behind the text. */
  readonly content?: readonly TextOrDataInput[];
  /** Uploaded as files of the session and added at the end; a `File` has its name. Needs the verb `upload`. */
  readonly files?: readonly Blob[];
  readonly name?: string;
  readonly metadata?: MessageInput["metadata"];
}

/** A text, the blocks of a message, or a message with files. */
export type SendInput = string | readonly TextOrDataInput[] | MessageDraft;

/** The body that is posted; it has its id and its content as blocks. */
export interface OutgoingBody {
  readonly id: string;
  readonly name?: string;
  readonly metadata?: MessageInput["metadata"];
  readonly content: readonly TextOrDataInput[];
}

/** @param newId Of a message that has none. @throws {TypeError} when there is nothing in it. */
export function toBody(
  newId: string,
  input: SendInput,
): { readonly body: OutgoingBody; readonly files: readonly Blob[] } {
  const draft = toDraft(input);
  const { id = newId, text, content = [], files = [], name, metadata } = draft;
  const blocks: TextOrDataInput[] = [
    ...(text ? [{ type: "text" as const, text }] : []),
    ...content,
  ];
  if (blocks.length === 0 && files.length === 0) throw new TypeError("the message is empty");
  return { body: { id, name, metadata, content: blocks }, files };
}

function toDraft(input: SendInput): MessageDraft {
  if (typeof input === "string") return { text: input };
  return isBlocks(input) ? { content: input } : input;
}

function isBlocks(input: Exclude<SendInput, string>): input is readonly TextOrDataInput[] {
  return Array.isArray(input);
}

/** The message as it is shown until the platform's own version of it comes. */
export function toMessage({ id, name = "user", metadata, content }: OutgoingBody): Msg {
  return UserMsg({ id, name, metadata: { ...metadata }, content });
}

export function toInput(body: OutgoingBody): MessageInput {
  return { ...body, content: [...body.content] };
}
