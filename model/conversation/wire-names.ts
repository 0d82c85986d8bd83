// Names and ids of calls as providers accept them. Invalid ones that a model invented, or that another provider gave, are
// in the history and would make every later request fail.
import { shortHash } from "../stream/short-hash.ts";

/** Endpoints refuse longer function names and other characters. */
const MAX_FUNCTION_NAME = 64;
/** The Responses API and Anthropic refuse others. */
const MAX_CALL_ID = 64;
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
