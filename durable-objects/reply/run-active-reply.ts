// Builds the ports of the loop (`agent/ports.ts`) over this object and runs it. Decides nothing itself.
import { closeReply } from "../../agent/state/close-reply.ts";
import { modelError } from "../../agent/state/model-error.ts";
import { runCodeRemark } from "../../agent/code/run-code-remark.ts";
import { runCodeReply } from "../../agent/code/run-code-reply.ts";
import { roomForWords } from "../../agent/state/budget.ts";
import { endRun } from "../../agent/loop/end-run.ts";
import { heldModel } from "../../agent/hooks/held-model.ts";
import { changeSystemPrompt, type Onion } from "../../agent/hooks/onion.ts";
import { printedLog } from "../../agent/hooks/printed-log.ts";
import { ReplyHooks } from "../../agent/hooks/reply-hooks.ts";
import { wrapContextKeeper, wrapModel, wrapToolRunner } from "../../agent/hooks/wrap-run.ts";
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { MODEL_FORMS_FOLD } from "../../agent/abilities/model-forms-fold.ts";
import { FencedError, type EventLog, type Model, type NewId } from "../../agent/ports.ts";
import type { TenantQuota } from "../../agent/tenant-quota.ts";
import { runRemark } from "../../agent/loop/run-remark.ts";
import type { ReplyRun } from "../../agent/loop/reply-run.ts";
import { runReply } from "../../agent/loop/run-reply.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { SessionMcp } from "../mcp/session-mcp.ts";
import { openModels } from "../settings/open-models.ts";
import { pause } from "../../runtime/pause.ts";
import type { AgentDefinition } from "../../protocol/api/agents.ts";
import { DEFAULT_CONFIRMATION_TTL_SECONDS } from "../../protocol/limits/answers.ts";
import { HISTORY_SLICE_BYTES, INTERRUPT_REMARK_MS } from "../../protocol/limits/replies.ts";
import { traceIdOf, type TraceContext } from "../../protocol/trace-context.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { fairTurns } from "../../runtime/fair-turns.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { findCodeAgent } from "../../tools/deployed-agents.ts";
import { createHookRunner, isHookThere, openOnion, openPrinters } from "../../tools/hook-runner.ts";
import { createToolRunner } from "../../tools/tool-runner.ts";
import type { ActiveReply } from "./active-reply.ts";
import { pinnedSkillsOf, skillLibrary } from "../settings/session-skills.ts";
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import { equippedAgent } from "../settings/equipped-agent.ts";
import { hashInput } from "../settings/hash-input.ts";
import { openAbilities } from "../settings/open-abilities.ts";
import { madeMedia } from "../settings/made-media.ts";
import { mediaMemory } from "../settings/media-memory.ts";
import { questionHash } from "../settings/question-hash.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import { sessionMedia } from "../settings/session-media.ts";
import { hookedPermission } from "../settings/hooked-permission.ts";
import { earlierCall } from "../context/earlier-call.ts";
import { openContextKeeper } from "../context/open-context-keeper.ts";
import { leftEvent, readContext, textBytes } from "../context/read-context.ts";
import type { SessionCompression } from "../context/session-compression.ts";
import { ReplyLog, type ReplyLogContext } from "./reply-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";

export interface ReplyExecutionContext extends ReplyLogContext {
  readonly settings: SessionSettings;
  readonly newId: NewId;
  readonly compression: SessionCompression;
  /** The tenant's quota, as the loop asks it for a reply. */
  readonly quotaOf: (reply: ActiveReply) => TenantQuota;
  /** `local` allows http:// to loopback. */
  readonly env: Env;
  /** The trace of the request that started the reply or answered it. */
  readonly trace?: TraceContext;
  /** Whether the agent's credentials may be used; pending while the history is read. */
  readonly isConfirmed: Promise<boolean>;
  /** The reply continues after its last execution was lost. */
  readonly isRestart?: boolean;
}

/** Runs the reply until it ends, waits or is taken over. Contract: never rejects. */
export async function runActiveReply(
  reply: ActiveReply,
  context: ReplyExecutionContext,
): Promise<void> {
  const { settings, tables, newId, env, trace, isConfirmed, isRestart } = context;
  // A change of the session's agent applies to the next reply, however long this one has waited.
  const init = settings.replyInit;
  const registered = registeredHooks(init);
  const definitions = registered.map(({ definition }) => definition);
  const onion = openOnion(definitions);
  const log = printedLog(new ReplyLog(context, reply), openPrinters(definitions));
  const stop = reply.stop;
  const mediaStore = madeMedia(env, init, stop);
  const remark = log.state.is_interrupted ? limitRemark(stop) : null;
  const people = { reply, log, tables };
  const mcp = new SessionMcp({ ...context, init, replyId: reply.id, table: tables.mcp, people });
  try {
    const [secrets, read] = await Promise.all([
      isConfirmed.then((isUsable) => settings.openSecrets(isUsable)),
      readContext(tables, init.agent, { below: reply.startCursor + 1, open: reply }),
    ]);
    reply.noteHistory(textBytes(read));
    if (read.left && !stop.aborted) log.append([leftEvent(read.left, reply.id)]);
    const outgoing = createOutgoing({ ...egressRules(env), fetch, trace });
    const network = { outgoing, secrets };
    const { session_id, end_user_id } = init;
    const runner = createHookRunner(network);
    const missing = registered.filter(({ definition }) => !isHookThere(definition));
    const asking = {
      hooks: registered,
      missing,
      runner,
      log,
      session_id,
      end_user_id,
      newId,
      stop,
      hash: questionHash,
    };
    // A remark is not worth passing a guard that is gone.
    if (missing.some(({ definition }) => definition.on_failure === "closed")) remark?.limit.abort();
    const hooks = registered.length > 0 ? new ReplyHooks(asking) : undefined;
    const history = hooks && !remark ? await hooks.beforeReply(read.history) : read.history;
    const abilities = openAbilities(
      init,
      tables,
      history,
      () => settings.init,
      skillLibrary(env, init.tenant_id),
    );
    const client_tools = init.client?.tools;
    const toolRunner = createToolRunner({
      ...equippedAgent(init),
      abilities,
      client_tools,
      mcp,
      ...network,
    });
    // After an interrupt no request goes to a tool's server any more.
    if (!remark) await toolRunner.open(stop);
    const media = sessionMedia(env, init);
    const formOf = (author: string) => tables.abilities.read(MODEL_FORMS_FOLD)[author];
    const memory = mediaMemory(tables, (events) => log.append(events), reply.id);
    const known = { media, mediaMemory: memory, formOf };
    const modelContext = { ...network, planTurn: refundDeskTurn, ...known };
    const models = openModels(init.agent, log.state.model_options?.model, modelContext);
    const [own, ...others] = models.map((model) => hookedModel(model, { onion, hooks, log }));
    const keeper = openContextKeeper({
      agent: init.agent,
      models,
      modelContext,
      reply: () => log.state,
      state: () => tables.abilities.read(CONTEXT_FOLD),
      earlierCall: () => earlierCall(tables, history),
      newId,
      inTurn: (state, signal, compress) => context.compression.ofReply(state, signal, compress),
    });
    const turn = fairTurns(init.tenant_id, stop);
    const run: ReplyRun = {
      session_id,
      end_user_id,
      system_prompt: changeSystemPrompt(
        onion,
        withSkills(init.agent.system_prompt, pinnedSkillsOf(init)),
      ),
      max_iters: init.agent.max_iters,
      on_max_iters: init.agent.on_max_iters,
      max_tokens: init.agent.budget?.max_tokens,
      quota: context.quotaOf(reply),
      on_limit: init.agent.on_limit ?? "end",
      permission: () => hookedPermission(init, context),
      asking: {
        confirmation_ttl_ms:
          (init.agent.confirmation_ttl ?? DEFAULT_CONFIRMATION_TTL_SECONDS) * 1_000,
        hashInput,
        expiresAt: (ttlMs) => new Date(Date.now() + ttlMs).toISOString(),
      },
      abilities,
      history,
      context: wrapContextKeeper(keeper, onion),
      models: [own ?? models[0], ...others],
      toolRunner: wrapToolRunner(toolRunner, onion),
      log,
      hooks,
      onion,
      callIds: { isUsed: (id) => tables.calls.isIdUsed(id) },
      newId,
      sleep: pause,
      random: Math.random,
      stop,
      beforeModelCall: async () => {
        await turn();
        if (read.bytes > HISTORY_SLICE_BYTES) await timeSlice();
      },
      isRestart,
      diagnostics: reply.calls,
      mediaStore,
    };
    await runAgent(run, init.agent, remark?.limit ?? null);
    // Not waited for: D1 may be away, and the sweep asks about what is not confirmed.
    log.settled().then(
      () => mediaStore.confirm(log.state.message),
      () => undefined,
    );
  } catch (error) {
    const isOver = log.state.message.finished_reason !== null;
    if (error instanceof FencedError || stop.aborted || isOver) return;
    const trace_id = trace && traceIdOf(trace);
    console.error("reply failed", { reply_id: reply.id, trace_id, error });
    log.append(
      closeReply(log.state, {
        session_id: init.session_id,
        finished_reason: "error",
        error: modelError("internal"),
      }),
    );
  } finally {
    remark?.release();
    mcp.close();
  }
}

/** The model loop, or the agent's own code in its place; after an interrupt what either says about it. */
async function runAgent(
  run: ReplyRun,
  agent: AgentDefinition,
  limit: AbortController | null,
): Promise<void> {
  const code = findCodeAgent(agent.code_agent);
  if (limit) {
    return code?.handle_interrupt
      ? runCodeRemark(run, limit, { code, agent })
      : runRemark(run, limit);
  }
  if (!agent.code_agent) return runReply(run);
  if (code) return runReply(run, (inner) => runCodeReply(inner, code, agent));
  const message = `The agent's code ${agent.code_agent} is not deployed any more.`;
  return endRun(run, "error", { type: "setup", message });
}

/** What the model says passes the layers first, and then the hooks that hold its words back. */
function hookedModel(
  model: Model,
  {
    onion,
    hooks,
    log,
  }: { readonly onion: Onion; readonly hooks?: ReplyHooks; readonly log: EventLog },
): Model {
  const wrapped = wrapModel(model, onion);
  if (!hooks?.has("pre_print")) return wrapped;
  return heldModel(wrapped, {
    print: (type, text, stop) => hooks.beforePrint(type, text, { stop }),
    room: () => roomForWords(log.state),
  });
}

interface LimitedRemark {
  /** Aborted when the time is over, or with `stop`. */
  readonly limit: AbortController;
  readonly release: () => void;
}

/** The time of a remark, which begins now. */
function limitRemark(stop: AbortSignal): LimitedRemark {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, INTERRUPT_REMARK_MS);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  const release = () => {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  };
  return { limit, release };
}
