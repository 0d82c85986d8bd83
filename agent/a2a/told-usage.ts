// The usage that an agent of another system tells of its task, in metadata: under our extension, or by one of the names that are
// common. The protocol has none. Nobody vouches for it.
import { A2A_EXTENSION } from "../../protocol/a2a/extension.ts";
import { MAX_TOLD_COST_USD } from "../../protocol/a2a/client-limits.ts";
import type { ToldUsage } from "../../protocol/a2a/told-usage.ts";
import type { A2aStreamResponse } from "../../protocol/a2a/wire.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";
import { MAX_CALL_TOKENS } from "../../protocol/models/limits.ts";

/** Members of metadata that have an object of counts; `adk_usage_metadata` is that of Google's ADK. */
const USAGES = ["usage", "token_usage", "tokenUsage", "usage_metadata", "adk_usage_metadata"];
const INPUTS = ["input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "promptTokenCount"];
const OUTPUTS = [
  "output_tokens",
  "outputTokens",
  "completion_tokens",
  "completionTokens",
  "candidatesTokenCount",
];
/** A cost without a currency says nothing. */
const COSTS = ["cost_usd", "costUsd"];

/** The usage of the task so far, as a frame tells it; null for a frame that tells none, or not both counts. */
export function toldUsageOf({ task, statusUpdate, message }: A2aStreamResponse): ToldUsage | null {
  const said = statusUpdate ?? task;
  const places = [said?.metadata, said?.status.message?.metadata, message?.metadata];
  for (const metadata of places) {
    const told = metadata && readUsage(metadata);
    if (told) return told;
  }
  return null;
}

function readUsage(metadata: JsonObject): ToldUsage | null {
  const own = metadata[A2A_EXTENSION];
  const counts = [
    isJsonObject(own) ? own["usage"] : undefined,
    ...USAGES.map((name) => metadata[name]),
  ];
  for (const one of counts) {
    if (!isJsonObject(one)) continue;
    const input_tokens = numberIn(one, INPUTS, isCount);
    const output_tokens = numberIn(one, OUTPUTS, isCount);
    if (input_tokens === null || output_tokens === null) continue;
    const cost_usd = numberIn(one, COSTS, isCost) ?? numberIn(metadata, COSTS, isCost);
    return { input_tokens, output_tokens, cost_usd };
  }
  return null;
}

/**
 * The part of what was told that is new, since a task's usage grows through what people answer. Where it has become less, it is
 * not that of the whole task.
 */
export function usageSince(told: ToldUsage, before: ToldUsage | undefined): ToldUsage {
  const { input_tokens, output_tokens, cost_usd } = told;
  if (!before || input_tokens < before.input_tokens || output_tokens < before.output_tokens) {
    return told;
  }
  const cost = cost_usd === null || before.cost_usd === null ? null : cost_usd - before.cost_usd;
  return {
    input_tokens: input_tokens - before.input_tokens,
    output_tokens: output_tokens - before.output_tokens,
    cost_usd: cost === null || cost < 0 ? null : cost,
  };
}

function numberIn(
  values: JsonObject,
  names: readonly string[],
  isUsable: (value: number) => boolean,
): number | null {
  for (const name of names) {
    const value = values[name];
    if (typeof value === "number" && isUsable(value)) return value;
  }
  return null;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= MAX_CALL_TOKENS;
}

function isCost(value: number): boolean {
  return value >= 0 && value <= MAX_TOLD_COST_USD;
}
