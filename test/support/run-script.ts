// Plays a script of the embedded model through the loop, on an in-memory log.
import type { Sleep, ToolRunner } from "../../agent/ports.ts";
import type { PermissionContext } from "../../agent/permission/check-call.ts";
import { runReply, type ReplyRun } from "../../agent/loop/run-reply.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createScriptedModel } from "../../model/scripted/scripted-model.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import { functionTools } from "./function-tools.ts";
import { MemoryLog } from "./memory-log.ts";
import { testAsking } from "./test-asking.ts";

export interface ScriptRun {
  readonly script: string | readonly ContentBlock[];
  readonly tools?: ToolRunner;
  readonly max_iters?: number;
  readonly max_tokens?: number;
  /** A function when the rules change while the reply runs. */
  readonly permission?: PermissionContext | (() => PermissionContext);
  readonly log?: MemoryLog;
  /** The model is told no time when left out. */
  readonly runtime?: ReplyRun["runtime"];
  /** There is no state when left out. */
  readonly sharedState?: ReplyRun["sharedState"];
  /** None when left out. */
  readonly clientContext?: ReplyRun["clientContext"];
  readonly stop?: AbortSignal;
  /** The scripted model alone when left out. */
  readonly models?: ReplyRun["models"];
  /** Waits for nothing when left out. */
  readonly sleep?: Sleep;
  readonly usedCallIds?: readonly string[];
  readonly isRestart?: boolean;
  readonly quota?: ReplyRun["quota"];
  readonly on_limit?: ReplyRun["on_limit"];
}

const NO_STATE: ReplyRun["sharedState"] = {
  read: () => ({ state: {}, version: 0 }),
  isWritable: false,
  schema: null,
};

const UNLIMITED: ReplyRun["quota"] = { check: async () => null, wait: () => undefined };

export async function runScript(run: ScriptRun): Promise<MemoryLog> {
  const log = run.log ?? new MemoryLog();
  const permission = run.permission ?? { mode: "default", rules: [], working_directories: [] };
  // A reply that goes on finds the ids of its first part in use.
  let ids = log.events.length - 1;
  await runReply({
    session_id: "ses_1",
    end_user_id: null,
    system_prompt: "",
    max_iters: run.max_iters ?? 20,
    max_tokens: run.max_tokens,
    quota: run.quota ?? UNLIMITED,
    on_limit: run.on_limit ?? "end",
    permission: typeof permission === "function" ? permission : () => permission,
    asking: testAsking,
    runtime: run.runtime ?? null,
    sharedState: run.sharedState ?? NO_STATE,
    clientContext: run.clientContext ?? [],
    history: [
      UserMsg({
        name: "user",
        content: typeof run.script === "string" ? run.script : [...run.script],
      }),
    ],
    models: run.models ?? [
      createScriptedModel({ name: "scripted", tokensPerSecond: 0, planTurn: refundDeskTurn }),
    ],
    toolRunner: run.tools ?? functionTools({}),
    log,
    callIds: { isUsed: (id) => run.usedCallIds?.includes(id) ?? false },
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    sleep: run.sleep ?? (async () => {}),
    random: () => 0,
    stop: run.stop ?? new AbortController().signal,
    isRestart: run.isRestart,
  });
  return log;
}
