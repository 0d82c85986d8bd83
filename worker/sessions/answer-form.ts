// The dialect of an answer that is a stream of events or a whole reply.
import {
  asEventFormat,
  asMessageFormat,
  LOG_FORMAT,
  type AnswerFormat,
  type EventFormat,
} from "../../protocol/dialects/dialects.ts";
import { formOf, type MessageForm } from "../../protocol/dialects/message-forms.ts";
import { fieldError } from "../http-error.ts";

/** The form of a whole reply; native where the dialect has events alone. */
export function replyForm(format: AnswerFormat): MessageForm | null {
  return formOf(asMessageFormat(format) ?? LOG_FORMAT);
}

/** The dialect of a stream. @throws HttpError 400 for a dialect of stored messages alone. */
export function requireEvents(format: AnswerFormat): EventFormat {
  const found = asEventFormat(format);
  if (found !== null) return found;
  const detail = `${format} has no events: leave out \`stream\`, and the answer is the whole reply`;
  throw fieldError("validation_failed", "#/query/format", detail);
}
