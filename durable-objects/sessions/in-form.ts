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

/** Each message's JSON in the form. One that is no JSON is left out. */
export function* messagesInForm(
  messages: Iterable<ShownJson>,
  form: MessageForm,
): Generator<Iterable<Piece>, void> {
  for (const { shown, waiting } of messages) {
    const message = parse(textOf(shown));
    if (message) yield [JSON.stringify(form.message(message, waiting))];
  }
}

/** The message's JSON in the form; `null` for one that is no JSON. */
export function* messageInForm(message: ShownJson, form: MessageForm): Generator<Piece, void> {
  const [pieces = ["null"]] = messagesInForm([message], form);
  yield* pieces;
}

function parse(text: string): Msg | null {
  try {
    return JSON.parse(text) as Msg;
  } catch {
    return null;
  }
}
