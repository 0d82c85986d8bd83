// Has a model choose what is to be remembered of a reply, beside all replies. Appends nothing but what hooks have answered.
import { chooseMemories, type KnownMemory } from "../../agent/memory/choose-memories.ts";
import { recordingRequest } from "../../agent/memory/recording-prompt.ts";
import type { SourceStatement } from "../../agent/memory/recording-source.ts";
import { writeRecording } from "../../agent/memory/write-recording.ts";
import type { MemoryStore } from "../../agent/memory-store.ts";
import { MODEL_FORMS_FOLD } from "../../agent/models/model-forms-fold.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createModel } from "../../model/create-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import type { Refusal, Result } from "../../protocol/errors.ts";
import {
  MAX_KEYWORD_CHARACTERS,
  MAX_MEMORY_KEYWORDS,
  MAX_SHOWN_MEMORIES,
} from "../../protocol/memory/limits.ts";
import { QUOTA_RETRY_MS } from "../../protocol/quotas/limits.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { pause } from "../../runtime/pause.ts";
import { askBeforeSummary } from "../context/ask-before-summary.ts";
import type { CompressionPlatform, CompressionSession } from "../context/compression-session.ts";
import { errorOfRefusal } from "../context/refused-summary.ts";
import { mediaMemory } from "../settings/media-memory.ts";
import { sessionMedia } from "../settings/session-media.ts";
import type { RecordingAnswer } from "../tables/recording-table.ts";
import { readSource } from "./read-source.ts";

interface ChoiceContext {
  readonly reply_id: string;
  readonly store: MemoryStore;
  readonly env: CompressionPlatform["env"];
  /** Asks the tenant's quotas, at the last moment. */
  readonly admit: () => Promise<Result<null>>;
  readonly stop: AbortSignal;
  readonly deadline: AbortSignal;
}

export type Chosen =
  | { readonly type: "chosen"; readonly answer: RecordingAnswer }
  /** Nobody has said a word that may be remembered. */
  | { readonly type: "nothing" }
  | { readonly type: "stopped" }
  | { readonly type: "suspended" }
  /** The store, or the tenant's quotas, did not answer. */
  | { readonly type: "unavailable" }
  | {
      readonly type: "failed";
      readonly error: ErrorInfo;
      readonly used?: Pick<RecordingAnswer, "model" | "usage" | "cost_usd">;
    };

/** Contract: ends soon after `stop` or `deadline`. */
export async function chooseOfReply(
  session: CompressionSession,
  { reply_id, store, env, admit, stop, deadline }: ChoiceContext,
): Promise<Chosen> {
  const { tables, init, settings, log } = session;
  const { source, recalled } = readSource(tables, reply_id);
  if (source.length === 0) return { type: "nothing" };
  const near = await nearMemories(store, source, stop);
  if (stop.aborted || log.isClosed) return { type: "stopped" };
  if (near === null) return { type: "unavailable" };
  const admitted = await admit();
  // The refusal of a tenant that is stopped has stopped this work, too.
  if (!admitted.ok && !log.isClosed) return ofRefusal(admitted.refusal);
  if (stop.aborted || log.isClosed) return { type: "stopped" };
  const isUsable = await settings.confirmCredentials(init);
  const secrets = await settings.openSecrets(isUsable, "init");
  const outgoing = createOutgoing({ ...egressRules(env), fetch });
  const shown = [...new Map([...recalled, ...near].map((one) => [one.id, one])).values()];
  const request = recordingRequest(source, shown);
  const refusal = await askBeforeSummary(session, request, { outgoing, secrets }, stop);
  if (stop.aborted || log.isClosed) return { type: "stopped" };
  if (refusal) return { type: "failed", error: errorOfRefusal(refusal) };
  const model = createModel(init.agent.model, {
    outgoing,
    secrets,
    decideTurn: refundDeskTurn,
    media: sessionMedia(env, init),
    mediaMemory: mediaMemory(
      tables,
      (events) => {
        if (!log.isClosed) log.append(events, { isLast: !session.isActing });
      },
      null,
    ),
    formOf: (author) => tables.abilities.read(MODEL_FORMS_FOLD)[author],
  });
  const access = { model, sleep: pause, random: Math.random, stop };
  const written = await writeRecording(request, access, deadline);
  if (written.type === "stopped") return { type: "stopped" };
  const { model: name, usage, cost_usd } = written;
  if (written.type === "failed") {
    const used = usage && { model: name, usage, cost_usd };
    return { type: "failed", error: written.error, ...(used && { used }) };
  }
  const known = { prompt: init.agent.system_prompt, known: shown };
  const memories = chooseMemories(written.memories, known);
  return { type: "chosen", answer: { memories, model: name, usage: written.usage, cost_usd } };
}

/** The tokens of a day are refused until the next one; all else has room in a moment. */
function ofRefusal(refusal: Refusal): Chosen {
  const { code, extensions = {} } = refusal;
  if (code === "quota_exceeded") {
    const waitMs = (extensions as { readonly retry_after_ms?: number }).retry_after_ms;
    const isSoon = waitMs !== undefined && waitMs <= QUOTA_RETRY_MS;
    return isSoon ? { type: "unavailable" } : { type: "failed", error: errorOfRefusal(refusal) };
  }
  return code === "unavailable" ? { type: "unavailable" } : { type: "suspended" };
}

/** Null when the store does not answer: without it nothing is known of what it has. */
async function nearMemories(
  store: MemoryStore,
  source: readonly SourceStatement[],
  stop: AbortSignal,
): Promise<readonly KnownMemory[] | null> {
  const texts = source
    .map(({ text }) => text.slice(0, MAX_KEYWORD_CHARACTERS))
    .slice(-MAX_MEMORY_KEYWORDS);
  const found = await store.retrieve({ texts, limit: MAX_SHOWN_MEMORIES, stop });
  if (found.ok) return found.value.memories;
  return found.failure.code === "unavailable" ? null : [];
}
