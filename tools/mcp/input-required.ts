// Reads a result that asks for input (modern era): the call is made again with the answers.
import { readInputRequest } from "../../agent/inputs/read-input-request.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { InputResponse } from "../../protocol/mcp/events.ts";
import {
  MAX_INPUT_KEY_CHARACTERS,
  MAX_INPUT_REQUESTS,
  MAX_REQUEST_STATE_BYTES,
} from "../../protocol/mcp/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { KeptRequest } from "./mcp-people.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export type InputRequired =
  | {
      readonly ok: true;
      readonly kept: KeptRequest;
      /** The questions to a person; empty when the call may be made again at once. */
      readonly requests: Readonly<Record<string, InputRequest>>;
    }
  /** The rest of a sentence about the tool. */
  | { readonly ok: false; readonly problem: string };

export function readInputRequired({ inputRequests = {}, requestState }: Fields): InputRequired {
  if (requestState !== undefined && typeof requestState !== "string") return refuse(UNREADABLE);
  if (!isJsonObject(inputRequests)) return refuse(UNREADABLE);
  const state = requestState ?? null;
  if (state !== null && utf8Bytes(state) > MAX_REQUEST_STATE_BYTES) {
    return refuse("wants more to be kept than there is room for");
  }
  const named = Object.entries(inputRequests);
  if (named.length === 0 && state === null) return refuse(UNREADABLE);
  if (named.length > MAX_INPUT_REQUESTS) return refuse("asks too many questions at once");
  const requests: [string, InputRequest][] = [];
  const settled: [string, InputResponse][] = [];
  for (const [key, asked] of named) {
    if (
      !isJsonObject(asked) ||
      !isJsonObject(asked["params"]) ||
      key.length > MAX_INPUT_KEY_CHARACTERS
    ) {
      return refuse(UNREADABLE);
    }
    if (asked["method"] !== "elicitation/create") {
      return refuse("asks for something that the platform does not offer to servers");
    }
    const read = readInputRequest(asked["params"]);
    if (read.type === "unusable") return refuse(read.problem);
    if (read.type === "secret") settled.push([key, { action: "decline" }]);
    else requests.push([key, read.request]);
  }
  const kept = { state, settled: Object.fromEntries(settled) };
  return { ok: true, kept, requests: Object.fromEntries(requests) };
}

const UNREADABLE = "asks for input in a way that cannot be read";

function refuse(problem: string): InputRequired {
  return { ok: false, problem };
}
