// Opens the ports of the loop (`agent/ports.ts`) over this object, for one execution of a reply. Decides nothing itself.
import { changeSystemPrompt, type HookMiddleware } from "../../agent/hooks/middleware.ts";
import { printedLog } from "../../agent/hooks/printed-log.ts";
import { wrapContextKeeper, wrapPlanHint, wrapToolRunner } from "../../agent/hooks/wrap-run.ts";
import { PLAN_FOLD } from "../../agent/plans/plan-fold.ts";
import type { Plan } from "../../protocol/plans/plan.ts";
import type { ReplyRun } from "../../agent/loop/reply-run.ts";
import type { Asking, EventLog } from "../../agent/ports.ts";
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { DEFAULT_CONFIRMATION_TTL_SECONDS } from "../../protocol/confirmations/limits.ts";
import { HISTORY_SLICE_BYTES } from "../../protocol/replies/limits.ts";
import { fairTurns } from "../../runtime/fair-turns.ts";
import { pause } from "../../runtime/pause.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { SessionInit } from "../api/session-api.ts";
import { SessionMcp } from "../mcp/session-mcp.ts";
import { hashInput } from "../settings/hash-input.ts";
import { hookedPermission } from "../settings/hooked-permission.ts";
import { madeMedia, type MadeMediaStore } from "../settings/made-media.ts";
import { maxTokensOf } from "../settings/max-tokens-of.ts";
import { pinnedSkillsOf } from "../settings/session-skills.ts";
import type { ActiveReply } from "./active-reply.ts";
import { limitRemark } from "./limit-remark.ts";
import { noteContext, openContext, readReplyContext } from "./open-reply-context.ts";
import { lacksGuard, openHooks, openLayers, type ReplyLayers } from "./open-reply-hooks.ts";
import { openReplyMemory } from "./open-reply-memory.ts";
import { openReplyModels } from "./open-reply-models.ts";
import { openTools } from "./open-reply-tools.ts";
import type { ReplyExecution, ReplyExecutionContext, ReplyNetwork } from "./reply-execution.ts";
import { ReplyLog } from "./reply-log.ts";

interface ReplyPorts {
  readonly log: EventLog;
  /** Pending while the ports are opened. */
  readonly run: Promise<ReplyRun>;
  /** The time of the text after an interrupt; null for a reply that was not interrupted. */
  readonly remark: AbortController | null;
  readonly media: MadeMediaStore;
  /** Closes connections, also of ports that are being opened. */
  readonly close: () => void;
}

/** The parts that are there before anything is read. */
interface OpenedPorts {
  readonly layers: ReplyLayers;
  readonly mcp: SessionMcp;
  readonly media: MadeMediaStore;
  readonly isRemark: boolean;
}

export function openReplyPorts(reply: ActiveReply, context: ReplyExecutionContext): ReplyPorts {
  const { settings, tables, env } = context;
  const { stop } = reply;
  // A change of the session's agent applies to the next reply, however long this one has waited.
  const init = settings.replyInit;
  const layers = openLayers(init);
  const log = printedLog(new ReplyLog(context, reply), layers.printers);
  const media = madeMedia(env, init, stop);
  const remark = log.state.is_interrupted ? limitRemark(stop) : null;
  // No text after an interrupt is worth passing a guard that is gone.
  if (lacksGuard(layers)) remark?.limit.abort();
  const people = { reply, log, tables };
  const mcp = new SessionMcp({ env, init, replyId: reply.id, table: tables.mcp, people });
  const execution: ReplyExecution = { context, reply, init, log, stop };
  return {
    log,
    run: openRun(execution, { layers, mcp, media, isRemark: remark !== null }),
    remark: remark && remark.limit,
    media,
    close: () => {
      remark?.release();
      mcp.close();
    },
  };
}

async function openRun(execution: ReplyExecution, opened: OpenedPorts): Promise<ReplyRun> {
  const { context, reply, init, log, stop } = execution;
  const { layers, mcp, media, isRemark } = opened;
  const { middleware } = layers;
  const [secrets, read] = await Promise.all([
    context.isConfirmed.then((isUsable) => context.settings.openSecrets(isUsable)),
    readReplyContext(execution),
  ]);
  noteContext(execution, read);
  const network = openNetwork(context, secrets);
  const hooks = openHooks(layers, execution, network);
  const history = hooks && !isRemark ? await hooks.beforeReply(read.history) : read.history;
  const memory = openReplyMemory(execution);
  const { abilities, toolRunner } = openTools(execution, { history, mcp, network, memory });
  // After an interrupt no request goes to a tool's server any more.
  if (!isRemark) await toolRunner.open(stop);
  const { hookedModels, served, ...models } = openReplyModels(execution, network, {
    middleware,
    hooks,
  });
  const keeper = openContext(execution, { history, ...models });
  const turn = fairTurns(init.tenant_id, stop);
  return {
    ...settingsOf(init, middleware),
    quota: context.quotaOf(reply),
    permission: () => hookedPermission(init, context),
    asking: askingOf(init.agent),
    abilities: wrapPlanHint(abilities, middleware, () => planOf(context.tables)),
    history,
    context: wrapContextKeeper(keeper, middleware),
    models: hookedModels,
    ...(served && { served }),
    toolRunner: wrapToolRunner(toolRunner, middleware),
    log,
    hooks,
    middleware,
    callIds: { isUsed: (id) => context.tables.calls.isIdUsed(id) },
    newId: context.newId,
    sleep: pause,
    random: Math.random,
    stop,
    beforeModelCall: async () => {
      await turn();
      if (read.bytes > HISTORY_SLICE_BYTES) await timeSlice();
    },
    isRestart: context.isRestart,
    diagnostics: reply.calls,
    mediaStore: media,
  };
}

function planOf({ abilities }: ReplyExecutionContext["tables"]): Plan | null {
  return abilities.read(PLAN_FOLD).current;
}

function openNetwork({ env, trace }: ReplyExecutionContext, secrets: SecretSource): ReplyNetwork {
  return { outgoing: createOutgoing({ ...egressRules(env), fetch, trace }), secrets };
}

/** The settings of session and agent that the loop reads. */
function settingsOf(init: SessionInit, middleware: readonly HookMiddleware[]) {
  const { session_id, end_user_id, agent } = init;
  return {
    session_id,
    end_user_id,
    system_prompt: changeSystemPrompt(
      middleware,
      withSkills(agent.system_prompt, pinnedSkillsOf(init)),
    ),
    max_iters: agent.max_iters,
    on_max_iters: agent.on_max_iters,
    max_tokens: maxTokensOf(init),
    on_limit: agent.on_limit ?? "end",
  };
}

function askingOf({ confirmation_ttl }: AgentDefinition): Asking {
  return {
    confirmation_ttl_ms: (confirmation_ttl ?? DEFAULT_CONFIRMATION_TTL_SECONDS) * 1_000,
    hashInput,
    expiresAt: (ttlMs) => new Date(Date.now() + ttlMs).toISOString(),
  };
}
