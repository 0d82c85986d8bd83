// Runs a call whose START is on disk: by the ability that declares its tool, else by the runner of the agent's tools.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Ability, AbilityTools } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import { restOfResult } from "./settled-result.ts";
import { streamResult, type ResultTarget } from "./stream-result.ts";

/** The tools of an ability whose calls are checked as every tool's are. */
export type CheckedTools = Exclude<AbilityTools, { kind: "internal" }>;

export interface AllowedRun {
  readonly tool: ToolDeclaration;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
}

/** Null for a tool that no ability declares. */
export function checkedToolsOf(
  { ability }: ToolDeclaration,
  abilities: readonly Ability[],
): CheckedTools | null {
  if (ability === undefined) return null;
  const tools = abilities.find(({ name }) => name === ability)?.tools;
  return tools && tools.kind !== "internal" ? tools : null;
}

/** What follows the START; after the stop signal nothing does. Contract: rejects only when the log refuses the runner. */
export async function bringResult(
  call: ToolCallBlock,
  { tool, input }: AllowedRun,
  context: ResultTarget & { readonly abilities: readonly Ability[] },
): Promise<void> {
  const { log, stop, abilities } = context;
  const tools = checkedToolsOf(tool, abilities);
  if (!tools) return streamResult(call, input, context);
  const settlement = await tools.settle({ call, input }, log.state, stop);
  if (!stop.aborted) log.append(restOfResult(log.state, call, settlement));
}
