import type { A2aPart } from "../../protocol/a2a/wire.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** The parts of a call's input: a message alone is text, all else JSON in text, which every agent can read. */
export function messageParts(input: unknown): readonly A2aPart[] {
  const message = isJsonObject(input) ? input["message"] : undefined;
  const isAlone = isJsonObject(input) && Object.keys(input).length === 1;
  return [{ text: isAlone && typeof message === "string" ? message : JSON.stringify(input) }];
}
