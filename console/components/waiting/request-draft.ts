// Draft of a person's answer to one request of a server.
import type { InputRequest, InputResponse } from "../../../sdk/index.ts";
import { initialDraft, readFields, type QuestionDraft } from "./question-fields.ts";
import { readDraft } from "./read-draft.ts";

export type RequestAction = InputResponse["action"];

export interface RequestDraft {
  readonly action: RequestAction;
  readonly fields: QuestionDraft;
  /** Whether the person has opened the page. */
  readonly isOpened: boolean;
  /** Faults by the name of the field; for a page by `""`. */
  readonly errors: ReadonlyMap<string, string>;
}

export function draftOfRequest(request: InputRequest): RequestDraft {
  const fields =
    request.mode === "form" ? initialDraft(readFields(request.requested_schema)) : new Map();
  return { action: "accept", fields, isOpened: false, errors: new Map() };
}

/** @returns the response, or what is wrong with the draft. */
export function readRequestDraft(
  request: InputRequest,
  draft: RequestDraft,
): { readonly response: InputResponse } | { readonly errors: ReadonlyMap<string, string> } {
  if (draft.action !== "accept") return { response: { action: draft.action } };
  if (request.mode === "url") {
    return draft.isOpened
      ? { response: { action: "accept" } }
      : { errors: new Map([["", "Open the page first, or decline."]]) };
  }
  const read = readDraft(readFields(request.requested_schema), draft.fields);
  return read.ok
    ? { response: { action: "accept", content: read.content } }
    : { errors: read.errors };
}
