// Names and ids of calls as providers accept them. Invalid ones that a model invented, or that another provider gave, are
// in the history and would make every later request fail.
import type { RequestForm } from "../../protocol/models/events.ts";
import { shortHash } from "../stream/short-hash.ts";

/** Endpoints refuse longer function names and other characters. */
const MAX_FUNCTION_NAME = 64;
/** The Responses API and Anthropic refuse others. */
const MAX_CALL_ID = 64;
/** Chat completions of OpenAI refuse longer ones. */
const MAX_CHAT_ID = 40;
const NINE = 9;
const IS_NINE = /^[A-Za-z0-9]{9}$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const NOT_IN_NAME = /[^A-Za-z0-9_-]/g;

export function toFunctionName(name: string): string {
  return name.replaceAll(NOT_IN_NAME, "_").slice(0, MAX_FUNCTION_NAME) || "unnamed";
}

/** The same id for the same call; two that are different stay different. */
export function toCallId(id: string): string {
  const plain = id.replaceAll(NOT_IN_NAME, "_");
  if (plain === id && id.length <= MAX_CALL_ID) return id;
  return `${plain.slice(0, MAX_CALL_ID - 9)}_${shortHash(id)}`;
}

/** As {@link toCallId}, for chat completions, whose endpoints take other characters, but not as many. */
export function toChatCallId(id: string, { call_ids }: RequestForm): string {
  if (call_ids === "nine") return IS_NINE.test(id) ? id : nineLetters(id);
  return id.length <= MAX_CHAT_ID ? id : `${id.slice(0, MAX_CHAT_ID - 9)}_${shortHash(id)}`;
}

/** 53 bits of two hashes, the second of a text that begins otherwise: with the same end it would not be independent. */
function nineLetters(id: string): string {
  let left = BigInt(`0x${shortHash(id)}${shortHash(`nine/${id}`)}`);
  let letters = "";
  for (let place = 0; place < NINE; place += 1) {
    letters += LETTERS[Number(left % 62n)];
    left /= 62n;
  }
  return letters;
}
