// Durable writes that most replies have, and the ways in which a machine dies.
import type { Way } from "./scenarios.ts";

export const BOTH_ABORTS: readonly Way[] = ["ctx.abort", "abortAllDurableObjects"];
export const ONE_ABORT: readonly Way[] = ["ctx.abort"];

export const BEGIN = "message_added + REPLY_START";
export const CALL = ["MODEL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END + MODEL_CALL_END"];
export const RESULT = ["TOOL_RESULT_START", "TOOL_RESULT_END"];
export const END = "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END";
export const TEXT = ["MODEL_CALL_START", "TEXT_BLOCK_START"];
export const ANSWER = [...TEXT, END];

export function call(name: string, input: object): string {
  return `/call ${name} ${JSON.stringify(input)}`;
}
