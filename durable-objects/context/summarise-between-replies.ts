// Makes a summary of a conversation while no reply needs it, of what a reply that began now would be sent.
import { MODEL_FORMS_FOLD } from "../../agent/models/model-forms-fold.ts";
import { compressContext } from "../../agent/context/compress-context.ts";
import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import type { CompressionOutcome } from "../../agent/context/context-keeper.ts";
import { contextLimits } from "../../agent/context/context-limits.ts";
import { ContextMeter } from "../../agent/context/context-meter.ts";
import { withoutMemories } from "../../agent/memory/without-memories.ts";
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createModel } from "../../model/create-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { COMPRESSION_MS } from "../../protocol/context/limits.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { pause } from "../../runtime/pause.ts";
import { pinnedSkillsOf } from "../settings/session-skills.ts";
import { goneMemories } from "../settings/gone-memories.ts";
import { openMemoryStore } from "../settings/session-memory.ts";
import { mediaMemory } from "../settings/media-memory.ts";
import { sessionMedia } from "../settings/session-media.ts";
import { askBeforeSummary } from "./ask-before-summary.ts";
import type { CompressionPlatform, CompressionSession } from "./compression-session.ts";
import { earlierCall } from "./earlier-call.ts";
import { contextBetweenReplies } from "./next-call.ts";
import { leftEvent, readContext } from "./read-context.ts";
import { summaryModel } from "./summary-model.ts";
import { windowOf } from "../settings/window-of.ts";

interface SummaryJob {
  readonly summary_id: string;
  readonly instructions: string | null;
  readonly isRequested: boolean;
  readonly trace?: TraceContext;
  readonly env: CompressionPlatform["env"];
}

interface Summarised {
  /** The state that it was made of. */
  readonly state: ContextState;
  readonly outcome:
    | CompressionOutcome
    /** By a hook before the model call. */
    | { readonly type: "refused"; readonly refusal: Refusal };
}

/** A compression makes the context half as large as the one at which the next compression is due. */
const TARGET_SHARE = 1 / 2;

/** Appends nothing but what is too much to be read, and what hooks have answered. */
export async function summariseBetweenReplies(
  session: CompressionSession,
  { summary_id, instructions, isRequested, trace, env }: SummaryJob,
  stop: AbortSignal,
): Promise<Summarised> {
  const { settings, tables, newId, log } = session;
  const { init } = session;
  const { agent } = init;
  const [secrets, settled] = await Promise.all([
    settings.confirmCredentials(init).then((isUsable) => settings.openSecrets(isUsable, "init")),
    readSettled(session),
  ]);
  const openStore = () => openMemoryStore(env, init);
  const history = withoutMemories(settled, await goneMemories(settled, tables, openStore));
  const state = tables.abilities.read(CONTEXT_FOLD);
  if (stop.aborted || log.isClosed) return { state, outcome: { type: "stopped" } };
  const { context = {} } = agent;
  const system_prompt = withSkills(agent.system_prompt, pinnedSkillsOf(init));
  const window = windowOf(agent);
  const { counter, soft } = contextLimits(context, window);
  const request = { system_prompt, ...contextBetweenReplies({ init, tables, history }) };
  const earlier = { state: () => state, earlierCall: () => earlierCall(tables, history) };
  const tokens = new ContextMeter(earlier).count(request, counter);
  if (!isRequested && tokens < soft) return { state, outcome: { type: "nothing" } };
  const outgoing = createOutgoing({ ...egressRules(env), fetch, trace });
  const refusal = await askBeforeSummary(session, request, { outgoing, secrets }, stop);
  if (refusal) return { state, outcome: { type: "refused", refusal } };
  if (stop.aborted || log.isClosed) return { state, outcome: { type: "stopped" } };
  const media = sessionMedia(env, init);
  const formOf = (author: string) => tables.abilities.read(MODEL_FORMS_FOLD)[author];
  const append = (events: readonly EventDraft[]) => {
    if (!log.isClosed) log.append(events, { isLast: !session.isActing });
  };
  const memory = mediaMemory(tables, append, null);
  const network = {
    outgoing,
    secrets,
    decideTurn: refundDeskTurn,
    media,
    mediaMemory: memory,
    formOf,
  };
  const own = () => ({ model: createModel(agent.model, network), model_window: window });
  const outcome = await compressContext(
    {
      ...request,
      trigger: isRequested ? "request" : "soft_threshold",
      state,
      reply_id: null,
      tokens,
      target: Math.floor(soft * TARGET_SHARE),
      window,
      ...(instructions !== null && { instructions }),
    },
    {
      settings: context,
      ...summaryModel(agent, network, own),
      newId: (prefix) => (prefix === "sum" ? summary_id : newId(prefix)),
      sleep: pause,
      random: Math.random,
      stop,
      deadline: AbortSignal.timeout(COMPRESSION_MS),
    },
  );
  return { state, outcome };
}

/**
 * The messages that no open reply is about. What is too much to be read is left out of the context first, unless that has
 * changed meanwhile.
 */
async function readSettled(session: CompressionSession): Promise<readonly Msg[]> {
  const { tables, init, log, openReply, isActing } = session;
  const before = tables.abilities.read(CONTEXT_FOLD);
  const below = (openReply?.startCursor ?? log.lastSeq) + 1;
  const { history, left } = await readContext(tables, init.agent, { below, open: openReply });
  const isSame = !log.isClosed && tables.abilities.read(CONTEXT_FOLD) === before;
  if (left && isSame) log.append([leftEvent(left)], { isLast: !isActing });
  if (!openReply) return history;
  // The input of the open reply stays as it is.
  const end = history.findLastIndex(({ role }) => role !== "user") + 1;
  return history.slice(0, end);
}
