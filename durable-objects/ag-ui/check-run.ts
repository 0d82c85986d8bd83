// Checks of every run that changes something.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { mayBeOfServer, namesOfTools, RESERVED_TOOL_NAMES } from "../../protocol/tools/contract.ts";
import type { ClientTool } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";
import { MEMORY_TOOLS } from "../../protocol/memory/events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { planToolNames } from "../../protocol/plans/events.ts";
import { READ_SKILL_TOOL } from "../../protocol/skills/skill.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { findEarlierAnswers, type EarlierAnswer } from "./answered-interrupts.ts";
import { findCalledAnswers, type AskedRun } from "./called-answers.ts";
import { clientStatePatch } from "./client-state-patch.ts";
import { refuseBranch } from "./place-run.ts";

/** Tools are found by name: a client's tools must not have a name of the agent's or the session's own, nor one name twice. */
export function refuseToolNames(
  {
    tools: own,
    plan,
    meta_tool,
    skills = [],
    memory,
  }: Pick<AgentDefinition, "tools" | "plan" | "meta_tool" | "skills" | "memory">,
  tools: readonly ClientTool[],
): Result<never> | null {
  const taken = new Set<string>([
    ...namesOfTools(own),
    ...RESERVED_TOOL_NAMES,
    ...(plan ? planToolNames(plan) : []),
    ...(meta_tool ? [RESET_EQUIPPED_TOOLS] : []),
    ...(skills.length > 0 ? [READ_SKILL_TOOL] : []),
    ...(memory ? MEMORY_TOOLS : []),
  ]);
  for (const [index, { name }] of tools.entries()) {
    // The tools that an agent's servers offer are not known yet.
    if (taken.has(name) || mayBeOfServer(own, name)) {
      const detail = `the name ${name} is another tool's; give this one a name of its own`;
      const errors = [{ pointer: `#/tools/${index}/name`, detail }];
      return refuse("validation_failed", detail, { errors });
    }
    taken.add(name);
  }
  return null;
}

/**
 * The checks of every run that changes something. @returns Its change of the shared state; null for none.
 */
export function checkChange(
  session: OpenSession,
  asked: AskedRun,
  init: Pick<SessionInit, "agent" | "tools">,
): Result<readonly PatchOperation[] | null> {
  const { input, mark } = asked.start;
  const refused = refuseToolNames(equippedAgent(init), input.tools) ?? refuseBranch(session, mark);
  if (refused) return refused;
  const earlier = earlierAnswers(session, asked);
  return earlier.ok ? clientStatePatch(session, input) : earlier;
}

/** The places of answers that were given before, also to called agents. @param isChecked As {@link findCalledAnswers} has it. */
export async function findAllEarlierAnswers(
  session: OpenSession,
  asked: AskedRun,
  isChecked: boolean,
): Promise<Result<readonly EarlierAnswer[]>> {
  const own = earlierAnswers(session, asked);
  if (!own.ok) return own;
  const called = await findCalledAnswers(session, asked, isChecked);
  return called.ok ? accept([...own.value, ...called.value]) : called;
}

function earlierAnswers(
  session: OpenSession,
  { start, actor, view }: AskedRun,
): Result<readonly EarlierAnswer[]> {
  const answered = view.entries.filter((each) => each.open_call_id === null && !each.is_called);
  const entries = answered.map(({ entry }) => entry);
  return findEarlierAnswers(session, entries, start.input.results, actor);
}
