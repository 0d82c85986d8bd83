// Stored messages in the form of another dialect: one message at a time is read, parsed and written.
import { formOf, type MessageForm } from "../../protocol/dialects/message-forms.ts";
import type { GenerateReason } from "../../protocol/dialects/generate-reason.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { FormRequest } from "../api/read-request.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { textOf } from "../bytes/text-of.ts";

/** A message's JSON as answers show it, and why its reply waits. */
interface ShownJson {
  readonly shown: Iterable<Piece>;
  readonly waiting: GenerateReason | null;
}

/** The form that the request names; null for the native one. */
export function requestedForm({ format }: FormRequest): MessageForm | null {
  return format === undefined ? null : formOf(format);
}

/** Each message's JSON in the form. A damaged one is left out: the list goes on without it. */
export function* messagesInForm(
  messages: Iterable<ShownJson>,
  form: MessageForm,
): Generator<Iterable<Piece>, void> {
  for (const { shown, waiting } of messages) {
    const text = write(textOf(shown), waiting, form);
    if (text !== null) yield [text];
  }
}

/** The message's JSON in the form; `null` for a damaged one. */
export function* messageInForm(message: ShownJson, form: MessageForm): Generator<Piece, void> {
  const [pieces = ["null"]] = messagesInForm([message], form);
  yield* pieces;
}

function write(text: string, waiting: GenerateReason | null, form: MessageForm): string | null {
  try {
    return JSON.stringify(form.message(JSON.parse(text) as Msg, waiting));
  } catch {
    console.error("a stored message cannot be read, and is left out");
    return null;
  }
}
