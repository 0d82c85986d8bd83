// Runs a recorded session again, a reply after the other, on another version of its agent. Reads the session and changes
// nothing: all that the replies write is in memory.
import { SHARED_STATE_FOLD } from "../../agent/shared-state/shared-state-fold.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { recordedRecall } from "../../agent/memory/recorded-recall.ts";
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import { cutRecorded } from "../../agent/replay/compare-calls.ts";
import { Recording } from "../../agent/replay/recording.ts";
import { ReplayLog } from "../../agent/replay/replay-log.ts";
import { replayReply, type StoppedCall } from "../../agent/replay/replay-reply.ts";
import {
  compareReply,
  summarizeReplay,
  type ComparedReply,
} from "../../agent/replay/summarize-replay.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { Replay, ReplayEvent } from "../../protocol/replay/contract.ts";
import {
  modelOptionsMetadata,
  type ReplyModelOptions,
} from "../../protocol/models/model-options.ts";
import { MAX_REPLAY_CHARACTERS } from "../../protocol/diagnostics/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { NO_SKILLS } from "../../protocol/skills/skill.ts";
import {
  structuredReplyMetadata,
  type JsonSchema,
} from "../../protocol/schemas/structured-output.ts";
import { pause } from "../../runtime/pause.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { ReplayRequest } from "../api/replay-request.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { chosenModels } from "../settings/chosen-models.ts";
import { forgetGone } from "./forget-gone.ts";
import type { ReplayStates } from "./replay-states.ts";
import { permissionSettings } from "../settings/permission-settings.ts";
import type { ReadRecording, ReadReply } from "./read-recording.ts";
import { openModelContext, openReplayPorts } from "./replay-ports.ts";
import type { ReplayEnding } from "./replay-ending.ts";
import type { ReplayQuota } from "./replay-quota.ts";

export interface ReplayContext {
  readonly env: Env;
  readonly session: OpenSession;
  readonly request: ReplayRequest;
  readonly recording: ReadRecording;
  readonly quota: ReplayQuota;
  readonly ending: ReplayEnding;
  readonly tell: (event: Extract<ReplayEvent, { type: "progress" }>) => void;
}

/** Resolves also when it was ended: with what was run until then. @throws on a bug, or when a secret cannot be opened. */
export async function replaySession(context: ReplayContext): Promise<Replay> {
  const { env, session, request, recording, ending, tell } = context;
  const { replies, states } = recording;
  const init = session.settings.replyInit;
  const modelContext = await openModelContext(env, init, request);
  const shared = {
    modelContext,
    ids: new MonotonicIds(),
    answers: new Recording(replies.flatMap(({ calls }) => calls)),
    addedRules: [] as PermissionRule[],
    callIds: new Set(recording.history.flatMap(callIdsOf)),
    written: { characters: 0 },
  };
  await forgetGone(env, session, recording);
  const history = [...recording.history];
  const compared: ComparedReply[] = [];
  for (const [index, reply] of replies.entries()) {
    if (ending.signal.aborted) break;
    ending.replyId = reply.row.id;
    tell({
      type: "progress",
      reply_id: reply.row.id,
      number: index + 1,
      replies: replies.length,
    });
    states.set(SHARED_STATE_FOLD, reply.shared_state);
    for (const event of reply.switches) states.logged(event);
    history.push(...reply.input);
    const again = await runAgain(context, shared, reply, history);
    compared.push(again.compared);
    history.push(again.message);
  }
  if (recording.isTooLarge && replies.length === 0) {
    const detail = "the recorded reply is too large to be replayed";
    const reply_id = recording.next_reply_id;
    ending.end({ reason: "recording_unreadable", detail, reply_id });
  }
  return answerOf(context, compared);
}

interface Shared {
  readonly modelContext: Awaited<ReturnType<typeof openModelContext>>;
  readonly ids: MonotonicIds;
  readonly answers: Recording;
  readonly addedRules: PermissionRule[];
  readonly callIds: Set<string>;
  /** Characters written by the replies before. */
  readonly written: { characters: number };
}

async function runAgain(
  { session, request, recording, quota, ending }: ReplayContext,
  { modelContext, ids, answers, addedRules, callIds, written }: Shared,
  reply: ReadReply,
  earlier: readonly Msg[],
): Promise<{ readonly compared: ComparedReply; readonly message: Msg }> {
  const { definition: agent } = request.agent;
  const { skills = NO_SKILLS } = request;
  const { replyInit: init } = session.settings;
  const history = [...earlier];
  const { id: reply_id } = reply.row;
  const startedMs = Date.now();
  const newId = ids.next.bind(ids);
  let characters = 0;
  const log = new ReplayLog({
    session_id: init.session_id,
    reply_id: newId("rep"),
    name: agent.name,
    metadata: startMetadata(agent, session.init.agent, reply),
    now: () => new Date().toISOString(),
    logged: (event, state) => {
      recording.states.logged(event);
      if (event.type === "TOOL_CALL_START") callIds.add(event.tool_call_id);
      characters = state.logged_characters;
      endIfDeleted(session, ending);
      if (written.characters + characters <= MAX_REPLAY_CHARACTERS) return;
      const detail = "the replay has written as much as one may write";
      ending.end({ reason: "output_limit", detail });
    },
  });
  const ports = openReplayPorts({
    agent,
    skills,
    init,
    states: recording.states,
    mcp: session.tables.mcp,
    modelContext,
    log,
    history,
    newId,
    atMs: Date.parse(reply.row.created_at),
  });
  const recalled = recordedRecall(reply.message, {
    reply_id: log.state.message.id,
    newBlockId: () => newId("blk"),
  });
  if (recalled.length > 0) log.append(recalled);
  const outcome = await replayReply({
    ...ports,
    recorded_reply_id: reply_id,
    session_id: init.session_id,
    end_user_id: init.end_user_id,
    system_prompt: withSkills(agent.system_prompt, skills),
    max_iters: agent.max_iters,
    on_max_iters: agent.on_max_iters,
    max_tokens: agent.budget?.max_tokens,
    quota: quota.ofReply(),
    on_limit: "end",
    history,
    log,
    recording: answers,
    assume: request.assume,
    permission: (added) => permissionAt(session, agent, { reply, states: recording.states, added }),
    addedRules,
    callIds: { isUsed: (id) => callIds.has(id) },
    newId,
    sleep: pause,
    random: Math.random,
    beforeModelCall: timeSlice,
    stop: ending.signal,
    end: (stopped) => endAt(ending, { reply_id, log, stopped }),
  });
  written.characters += characters;
  const { message } = log.state;
  // A reply that had ended by itself is whole, whatever came after.
  const isStopped = message.finished_reason === "interrupted";
  if (!ending.signal.aborted && message.finished_reason === "error") {
    const isQuota = message.error?.type === "quota_exceeded";
    const reason = isQuota ? "quota_exceeded" : "reply_failed";
    const detail = message.error?.message ?? "the reply failed";
    ending.end({ reason, detail, error: message.error });
  }
  const { usage } = message;
  const model_name = log.state.model_options?.model ?? agent.model.name;
  await quota.bill({ usage, cost_usd: log.costUsd, model_name });
  const duration_ms = Math.max(Date.now() - startedMs, 0);
  const compared = compareReply(reply, { ...outcome, log, duration_ms, isStopped });
  return { compared, message };
}

const DELETED = {
  reason: "session_deleted",
  detail: "the session was deleted meanwhile",
  reply_id: null,
  tool_call: null,
  error: null,
} as const;

/** The session's object is about to erase it, or has. */
export function endIfDeleted({ log }: OpenSession, ending: ReplayEnding): void {
  if (log.isClosed) ending.end(DELETED);
}

const DETAILS: Record<StoppedCall["reason"], string> = {
  no_recorded_result:
    "the record has no result of this call: no call of this tool with this input was made in the replies that are replayed",
  confirmation_required:
    "this call asks for a confirmation that the record does not have; `assume` says how to go on",
};

function endAt(
  ending: ReplayEnding,
  {
    reply_id,
    log,
    stopped: { reason, tool_call_id },
  }: { readonly reply_id: string; readonly log: ReplayLog; readonly stopped: StoppedCall },
): void {
  const call = log.state.message.content.find(
    ({ type, id }) => type === "tool_call" && id === tool_call_id,
  );
  const tool_call =
    call?.type === "tool_call"
      ? { reply_id, tool_call_id, tool_name: call.name, input: cutRecorded(call.input) }
      : null;
  ending.end({ reason, detail: DETAILS[reason], tool_call });
}

/**
 * The output schema and the model options of the recorded reply's request. A schema that the session's agent has anyway
 * is the new agent's own; a model that the new agent lacks is left out.
 */
function startMetadata(
  agent: AgentDefinition,
  before: AgentDefinition,
  { message, row }: ReadReply,
): Record<string, unknown> {
  const recorded = message.metadata["structured_schema"] as JsonSchema | undefined;
  const isOwn = recorded === undefined || isSameJson(recorded, before.structured_output);
  const schema = isOwn ? agent.structured_output : recorded;
  const options = row.model_options
    ? (JSON.parse(row.model_options) as ReplyModelOptions)
    : undefined;
  const { model, ...others } = options ?? {};
  const kept = chosenModels(agent, model) ? options : others;
  return {
    ...(schema && structuredReplyMetadata(schema)),
    ...(kept && modelOptionsMetadata(kept)),
  };
}

interface ReplayedAt {
  readonly reply: ReadReply;
  readonly states: Pick<ReplayStates, "read">;
  readonly added: readonly PermissionRule[];
}

/** The agent's rules, those that the session had when the reply began, and those that the replay has added. */
function permissionAt(
  { settings, tables }: OpenSession,
  agent: AgentDefinition,
  { reply, states, added }: ReplayedAt,
) {
  const { created_at: begunAt } = reply.row;
  const then = tables.rules.all().filter(({ created_at }) => (created_at ?? "") <= begunAt);
  const ofSession = { settings, tables: { rules: { all: () => then }, abilities: states } };
  const { rules, ...others } = permissionSettings({ agent }, ofSession);
  return { ...others, rules: [...rules, ...added] };
}

function callIdsOf({ content }: Msg): readonly string[] {
  return content.flatMap(({ type, id }) => (type === "tool_call" ? [id] : []));
}

/**
 * The replay as far as it was run. Of a session that was deleted meanwhile nothing is shown, whatever has ended the
 * replay.
 */
export function answerOf(
  { session, request, recording, ending }: Omit<ReplayContext, "env" | "quota" | "tell">,
  compared: readonly ComparedReply[],
): Replay {
  const isDeleted = session.log.isClosed;
  const shown = isDeleted ? [] : compared;
  const stopped = isDeleted ? DELETED : ending.reason;
  return {
    id: request.replay_id,
    agent_id: request.agent_id,
    session_id: session.init.session_id,
    version: request.version,
    replies: shown.map(({ reply }) => reply),
    summary: summarizeReplay(shown),
    stopped,
    next_reply_id: stopped ? null : recording.next_reply_id,
  };
}
