// Long-term memory in a reply: its tools, what is recalled before the first model call, and what is not told any more.
import {
  MEMORIES_REDACTED,
  MEMORY_RECALL_FAILED,
  RECALL_SOURCE,
  RECORD_TO_MEMORY_TOOL,
  type MemoriesRedactedValue,
  type MemoryRecallFailedValue,
  type RecallFailure,
} from "../../protocol/memory/events.ts";
import type { MemorySettings } from "../../protocol/memory/contract.ts";
import { MAX_KEYWORD_CHARACTERS } from "../../protocol/memory/limits.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { Ability } from "../ability.ts";
import { afterBoundary } from "../context/context-view.ts";
import type { ContextState } from "../context/context-fold.ts";
import type { SessionMemory } from "../memory-store.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { MEMORY_ABILITY, type MemoryState } from "./memory-fold.ts";
import {
  RECORD_TO_MEMORY,
  retrieveFromMemory,
  settleRecord,
  settleRetrieve,
} from "./memory-tools.ts";
import { fittingMemories, recallHint, toldMemories } from "./recall-hint.ts";
import { recallText } from "./recording-source.ts";
import { withoutMemories } from "./without-memories.ts";

export interface MemoryReply {
  /** Null for an agent without memory. */
  readonly settings: MemorySettings | null;
  readonly memory: SessionMemory;
  /** The messages before the open reply, oldest first. */
  readonly history: () => readonly Msg[];
  readonly context: () => ContextState;
  readonly state: () => MemoryState;
  /** Sources of the untrusted content that the model was sent. */
  readonly untrusted: () => readonly UntrustedSource[];
}

const NO_END_USER =
  "Your long-term memory is not there: it is an end user's, and this session has none (end_user_required). Go on without it.";
const THERE_AGAIN = "Your long-term memory is there now.";

export function memoryAbility(given: MemoryReply): Ability {
  const { settings, memory, history, state } = given;
  const { store } = memory;
  const mode = settings?.mode ?? "agent_control";
  const isStatic = settings !== null && mode !== "agent_control";
  const declared = toolsOf(given);
  /** Whether the store could not say what is gone: nothing that was recalled is told then. */
  let isUnsure = false;
  /** Whether it was asked since the last model call. */
  let isAsked = false;
  /** Found in this execution: the log keeps the newest ids alone. */
  const found = new Set<string>();

  /** Memories that models were told, but for those that are known to be gone. */
  function told(reply: ReplyState): ReadonlyMap<string, number> {
    const visible = afterBoundary([...history(), reply.message], given.context());
    const gone = new Set(state().gone);
    return new Map([...toldMemories(visible)].filter(([id]) => !gone.has(id) && !found.has(id)));
  }

  async function forget(known: ReadonlyMap<string, number>): Promise<readonly EventDraft[]> {
    isAsked = true;
    if (known.size === 0 || store === null) return [];
    const gone = await memory.gone([...known.keys()]);
    isUnsure = gone === null;
    if (gone === null || gone.length === 0) return [];
    for (const id of gone) found.add(id);
    const value: MemoriesRedactedValue = { memory_ids: gone };
    return [{ type: "CUSTOM", name: MEMORIES_REDACTED, value: { ...value } }];
  }

  async function recall(
    reply: ReplyState,
    known: ReadonlyMap<string, number>,
    stop: StopSignal,
  ): Promise<readonly EventDraft[]> {
    const text = recallText(history()).slice(0, MAX_KEYWORD_CHARACTERS);
    if (!isStatic || store === null || text.trim() === "" || hasRecalled(reply)) return [];
    const { id: reply_id } = reply.message;
    const recalled = await memory.recall({ texts: [text], limit: settings.retrieve_limit, stop });
    if (recalled.type === "nothing" || stop.aborted) return [];
    if (recalled.type === "failed") return [failedRecall(reply_id, recalled.reason)];
    const news = recalled.memories.filter(({ id, version }) => known.get(id) !== version);
    const shown = fittingMemories(news);
    if (shown.length === 0) return [];
    const store_id = await store.readId();
    return [recallHint(shown, { reply_id, block_id: memory.newBlockId(), store_id })];
  }

  return {
    name: MEMORY_ABILITY,
    hint: {
      source: MEMORY_ABILITY,
      outlivesReply: true,
      replacesEarlier: true,
      retraction: THERE_AGAIN,
      text: () => (settings !== null && store === null ? NO_END_USER : null),
    },
    tools: {
      kind: "outside",
      declare: () => declared,
      settle: async ({ call, input }, reply, stop) => {
        if (store === null) return { text: NO_END_USER, isError: true };
        if (call.name !== RECORD_TO_MEMORY_TOOL) {
          return settleRetrieve(input, store, { limit: settings?.retrieve_limit, stop });
        }
        return settleRecord(input, store, {
          tool_call_id: call.id,
          session_id: memory.session_id,
          reply_id: reply.message.id,
          untrusted: given.untrusted().at(-1) ?? memory.inherited.at(-1) ?? null,
        });
      },
    },
    changeContext(messages) {
      // An agent that has no memory any more, or none in this session, is told nothing of what it has had.
      if (isUnsure || settings === null || store === null) return withoutMemories(messages, "all");
      return withoutMemories(messages, new Set([...state().gone, ...found]));
    },
    async begin(reply, stop) {
      const known = told(reply);
      const [forgotten, recalled] = await Promise.all([forget(known), recall(reply, known, stop)]);
      return [...forgotten, ...recalled];
    },
    resume: (reply) => forget(told(reply)),
    async beforeCall(reply) {
      const isFresh = isAsked;
      isAsked = false;
      if (isFresh || store === null) return [];
      const events = await forget(told(reply));
      isAsked = false;
      return events;
    },
  };
}

function toolsOf({ settings, memory }: MemoryReply): readonly ToolDeclaration[] {
  if (settings === null || settings.mode === "static_control" || memory.store === null) return [];
  const retrieve = retrieveFromMemory(settings.retrieve_limit);
  return memory.isWritable ? [RECORD_TO_MEMORY, retrieve] : [retrieve];
}

/** Also of an execution before this one. */
function hasRecalled({ message }: ReplyState): boolean {
  return message.content.some((block) => block.type === "hint" && block.source === RECALL_SOURCE);
}

function failedRecall(reply_id: string, reason: RecallFailure): EventDraft {
  const value: MemoryRecallFailedValue = { reply_id, reason };
  return { type: "CUSTOM", name: MEMORY_RECALL_FAILED, reply_id, value: { ...value } };
}
