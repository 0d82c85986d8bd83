// Runs a call whose `TOOL_RESULT_START` is on disk: by the ability that declares its tool, or else by the tool runner.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Ability, AbilityTools } from "../ability.ts";
import { withDoubles } from "../exact-number.ts";
import type { ToolDeclaration } from "../ports.ts";
import { resultAfterStart } from "./settled-result.ts";
import { streamResult, type ResultTarget } from "./stream-result.ts";

/** Tools of an ability whose calls get the same checks as all others. */
type CheckedTools = Exclude<AbilityTools, { kind: "internal" }>;

export interface AllowedRun {
  readonly tool: ToolDeclaration;
  /** Parsed and valid against the tool's schema. */
  readonly input: unknown;
}

/** The tools of the ability that declares this one; null when none does. */
export function checkedToolsOf(
  { ability }: ToolDeclaration,
  abilities: readonly Ability[],
): CheckedTools | null {
  if (ability === undefined) return null;
  const tools = abilities.find(({ name }) => name === ability)?.tools;
  return tools && tools.kind !== "internal" ? tools : null;
}

/**
 * Writes the events after the START; none after the stop signal. Contract: rejects only when the log refuses the
 * runner.
 */
export async function runStartedCall(
  call: ToolCallBlock,
  { tool, input }: AllowedRun,
  context: ResultTarget & { readonly abilities: readonly Ability[] },
): Promise<void> {
  const { log, stop, abilities } = context;
  const tools = checkedToolsOf(tool, abilities);
  if (!tools) return streamResult(call, input, context);
  const settlement = await tools.settle({ call, input: withDoubles(input) }, log.state, stop);
  if (!stop.aborted) log.append(resultAfterStart(log.state, call, settlement));
}
