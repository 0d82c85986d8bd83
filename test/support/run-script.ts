// Plays a script of the embedded model through the loop, on an in-memory log.
import type { Ability } from "../../agent/ability.ts";
import { clientContextAbility } from "../../agent/ag-ui/client-context-ability.ts";
import { runtimeAbility, type Runtime } from "../../agent/context/runtime-ability.ts";
import { sharedStateAbility } from "../../agent/shared-state/shared-state-ability.ts";
import type { SharedStateAccess } from "../../agent/shared-state/shared-state-access.ts";
import { STRUCTURED_OUTPUT_ABILITY } from "../../agent/tools/structured-output-ability.ts";
import type { Sleep, ToolRunner } from "../../agent/ports.ts";
import type { PermissionSettings } from "../../agent/permission/check-call.ts";
import { runRemark, type RemarkLimit } from "../../agent/loop/run-remark.ts";
import type { ReplyRun } from "../../agent/loop/reply-run.ts";
import type { ReplyHooks } from "../../agent/hooks/reply-hooks.ts";
import { runReply } from "../../agent/loop/run-reply.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createScriptedModel } from "../../model/scripted/scripted-model.ts";
import type { ClientContext } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import { abilityTools } from "../../tools/providers/ability-tools.ts";
import { functionTools } from "./function-tools.ts";
import { MemoryLog } from "./memory-log.ts";
import { testAsking } from "./test-asking.ts";

export interface ScriptRun {
  readonly script: string | readonly ContentBlock[];
  readonly tools?: ToolRunner;
  readonly max_iters?: number;
  readonly on_max_iters?: ReplyRun["on_max_iters"];
  readonly max_tokens?: number;
  /** A function when the rules change while the reply runs. */
  readonly permission?: PermissionSettings | (() => PermissionSettings);
  readonly log?: MemoryLog;
  /** The model is told no time when left out. */
  readonly runtime?: Runtime;
  /** In front of those that the other members ask for. */
  readonly abilities?: readonly Ability[];
  /** There is no state when left out. */
  readonly sharedState?: SharedStateAccess;
  /** None when left out. */
  readonly clientContext?: readonly ClientContext[];
  readonly stop?: AbortSignal;
  /** The scripted model alone when left out. */
  readonly models?: ReplyRun["models"];
  /** Waits for nothing when left out. */
  readonly sleep?: Sleep;
  readonly usedCallIds?: readonly string[];
  readonly isRestart?: boolean;
  readonly quota?: ReplyRun["quota"];
  readonly on_limit?: ReplyRun["on_limit"];
  /** The reply is one that was interrupted: its remark is made, within this limit. */
  readonly remark?: RemarkLimit;
  readonly mediaStore?: ReplyRun["mediaStore"];
  /** Nothing is counted when left out. */
  readonly context?: ReplyRun["context"];
  /** Before the script's message; none when left out. */
  readonly history?: ReplyRun["history"];
  readonly system_prompt?: string;
  /** None when left out. */
  readonly hooks?: ReplyHooks;
  /** Nothing is noted when left out. */
  readonly diagnostics?: ReplyRun["diagnostics"];
}

const NO_STATE: SharedStateAccess = {
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
  const abilities = [
    ...(run.abilities ?? []),
    runtimeAbility(run.runtime ?? null),
    sharedStateAbility(run.sharedState ?? NO_STATE),
    clientContextAbility(run.clientContext ?? []),
    STRUCTURED_OUTPUT_ABILITY,
  ];
  const runner = run.tools ?? functionTools({});
  const reply: ReplyRun = {
    session_id: "ses_1",
    end_user_id: null,
    system_prompt: run.system_prompt ?? "",
    max_iters: run.max_iters ?? 20,
    on_max_iters: run.on_max_iters,
    max_tokens: run.max_tokens,
    quota: run.quota ?? UNLIMITED,
    on_limit: run.on_limit ?? "end",
    permission: typeof permission === "function" ? permission : () => permission,
    asking: testAsking,
    abilities,
    history: [
      ...(run.history ?? []),
      UserMsg({
        name: "user",
        content: typeof run.script === "string" ? run.script : [...run.script],
      }),
    ],
    models: run.models ?? [
      createScriptedModel({ name: "scripted", tokensPerSecond: 0, decideTurn: refundDeskTurn }),
    ],
    toolRunner: {
      get tools() {
        return [...runner.tools, ...abilityTools(abilities).tools];
      },
      run: (request, stop) => runner.run(request, stop),
    },
    log,
    callIds: { isUsed: (id) => run.usedCallIds?.includes(id) ?? false },
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    sleep: run.sleep ?? (async () => {}),
    random: () => 0,
    stop: run.stop ?? new AbortController().signal,
    isRestart: run.isRestart,
    mediaStore: run.mediaStore,
    context: run.context,
    hooks: run.hooks,
    diagnostics: run.diagnostics,
  };
  await (run.remark ? runRemark(reply, run.remark) : runReply(reply));
  return log;
}
