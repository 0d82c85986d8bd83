// Reads what a person, or an app for them, has answered to a call that asks for input: the text of an external result.
import type { Elicitation, InputResponse, InputResponses } from "../../protocol/mcp/events.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import { MAX_INPUT_ANSWER_BYTES } from "../../protocol/mcp/limits.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { isTooDeep, parseJson } from "../json/parse-input.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export type InputAnswerRead =
  | { readonly ok: true; readonly responses: InputResponses }
  /** A sentence for the author of the answer. */
  | { readonly ok: false; readonly detail: string };

const SHAPE =
  'The call asks for input: the output is JSON, {"action": "accept", "content": {…}}, {"action": "decline"} or {"action": "cancel"}; with several questions {"responses": {"<key>": …}} with one of these for each.';

/** A result in state `error` cancels. */
export function readInputAnswer(
  { output, state }: Pick<ToolResultBlock, "output" | "state">,
  elicitation: Elicitation,
): InputAnswerRead {
  const keys = Object.keys(elicitation.requests);
  if (state === "error") return { ok: true, responses: cancelAll(elicitation) };
  const text = textOf(output);
  if (text === null) return refuse(SHAPE);
  if (utf8Bytes(text) > MAX_INPUT_ANSWER_BYTES) {
    return refuse(`An answer has at most ${MAX_INPUT_ANSWER_BYTES} bytes.`);
  }
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.input) || isTooDeep(parsed.input)) return refuse(SHAPE);
  const given = responsesOf(parsed.input, keys);
  if (!given) return refuse(SHAPE);
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) return refuse("The answer names a question that was not asked.");
  const responses: [string, InputResponse][] = [];
  for (const key of keys) {
    const request = elicitation.requests[key];
    const response = Object.hasOwn(given, key) ? given[key] : undefined;
    if (!request || response === undefined) return refuse("One of the questions has no answer.");
    const read = readResponse(response, request);
    if ("detail" in read) return refuse(read.detail);
    responses.push([key, read]);
  }
  return { ok: true, responses: Object.fromEntries(responses) };
}

/** The answers to all of its requests when the time to answer is over: each is `cancel`. */
export function cancelAll({ requests }: Elicitation): InputResponses {
  const keys = Object.keys(requests);
  return Object.fromEntries(keys.map((key) => [key, { action: "cancel" } as const]));
}

/** A single question may be answered without its key. */
function responsesOf(value: Fields, keys: readonly string[]): Fields | null {
  const { responses, ...rest } = value;
  if (responses !== undefined) {
    return isJsonObject(responses) && Object.keys(rest).length === 0 ? responses : null;
  }
  const [only] = keys;
  return keys.length === 1 && only !== undefined ? { [only]: value } : null;
}

function readResponse(
  response: unknown,
  request: InputRequest,
): InputResponse | { readonly detail: string } {
  if (!isJsonObject(response)) return { detail: SHAPE };
  const { action, content, ...rest } = response;
  if (Object.keys(rest).length > 0) return { detail: SHAPE };
  // The protocol gives these no content; forms of clients often send the empty one.
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") return { detail: SHAPE };
  if (request.mode === "url") {
    return content === undefined
      ? { action }
      : { detail: "What is given on a page is not part of the answer: leave `content` out." };
  }
  const misfit = findMisfit(content ?? {}, request.requested_schema, {
    schemaName: "the form that was asked for",
  });
  if (misfit) return { detail: `The content ${misfit.text}.` };
  return { action, content: (content ?? {}) as Fields };
}

function textOf(output: ToolResultBlock["output"]): string | null {
  if (typeof output === "string") return output;
  const [block] = output;
  return output.length === 1 && block?.type === "text" ? block.text : null;
}

function refuse(detail: string): InputAnswerRead {
  return { ok: false, detail };
}
