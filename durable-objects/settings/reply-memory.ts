// Long-term memory as a session's abilities get it: whether there is a store, who may write to it, and how long a reply
// waits for it.
import type {
  MemoryFailure,
  MemoryStore,
  RecallOutcome,
  RecallRequest,
  SessionMemory,
} from "../../agent/memory-store.ts";
import { MAX_ASKED_MEMORIES, RECALL_MS } from "../../protocol/memory/limits.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { SessionInit } from "../api/session-api.ts";

type MemoryInit = Pick<SessionInit, "agent"> &
  Partial<Pick<SessionInit, "session_id" | "end_user_id" | "bounds">>;

/** Whether the agent has memory, and the session whom it belongs to. */
export function hasMemory({ agent: { memory }, end_user_id = null }: MemoryInit): boolean {
  if (!memory) return false;
  return memory.scope === "agent" || end_user_id !== null;
}

/**
 * Whether what is said in the session may be written: a store that all users share has nothing of any one of them.
 * @param isAskedByUser An end user, or a page with a client token, has asked for the reply.
 */
export function mayWriteMemory(init: MemoryInit, isAskedByUser = false): boolean {
  if (!hasMemory(init)) return false;
  const isShared = init.agent.memory?.scope === "agent";
  return !isShared || ((init.end_user_id ?? null) === null && !isAskedByUser);
}

/** Untrusted content that the session's input may be made of: none where no agent has called it. */
export function inheritedSources({
  bounds,
}: Pick<MemoryInit, "bounds">): readonly UntrustedSource[] {
  return bounds?.untrusted ?? [];
}

const UNAVAILABLE: MemoryFailure = {
  code: "unavailable",
  detail: "the store of memories does not answer; try again later",
};

/** For where no call is settled. */
const UNREAD: MemoryStore = {
  readId: async () => "",
  retrieve: async () => ({ ok: false, failure: UNAVAILABLE }),
  record: async () => ({ ok: false, failure: UNAVAILABLE }),
  gone: async () => ({ ok: false, failure: UNAVAILABLE }),
};

/** As tools are declared by it; nothing is read or written. */
export function unreadMemory(init: MemoryInit): SessionMemory {
  return {
    session_id: init.session_id ?? "",
    store: hasMemory(init) ? UNREAD : null,
    isWritable: mayWriteMemory(init),
    inherited: inheritedSources(init),
    newBlockId: () => "",
    gone: async () => null,
    recall: async () => ({ type: "nothing" }),
  };
}

interface OpenMemory {
  readonly store: MemoryStore;
  readonly isAskedByUser: boolean;
  readonly newBlockId: () => string;
}

export function openMemory(
  init: MemoryInit & Pick<SessionInit, "session_id">,
  { store, isAskedByUser, newBlockId }: OpenMemory,
): SessionMemory {
  return {
    session_id: init.session_id,
    store: hasMemory(init) ? store : null,
    isWritable: mayWriteMemory(init, isAskedByUser),
    inherited: inheritedSources(init),
    newBlockId,
    gone: (ids) => goneInTime(store, ids),
    recall: (request) => recallInTime(store, request),
  };
}

async function recallInTime(store: MemoryStore, request: RecallRequest): Promise<RecallOutcome> {
  let found: Awaited<ReturnType<MemoryStore["retrieve"]>>;
  try {
    found = await withinDeadline(store.retrieve(request), RECALL_MS);
  } catch {
    return { type: "failed", reason: "timed_out" };
  }
  if (found.ok) return { type: "found", memories: found.value.memories };
  const { code } = found.failure;
  // There is no store any more, or no word: nothing is recalled, and nothing has failed.
  if (code !== "unavailable") return { type: "nothing" };
  return { type: "failed", reason: "unavailable" };
}

/**
 * The memories among these that are not there any more; null when the store does not say so in time. All are asked about, in
 * questions of a bounded size.
 */
export async function goneInTime(
  store: MemoryStore,
  memoryIds: readonly string[],
): Promise<readonly string[] | null> {
  const questions: (readonly string[])[] = [];
  for (let from = 0; from < memoryIds.length; from += MAX_ASKED_MEMORIES) {
    questions.push(memoryIds.slice(from, from + MAX_ASKED_MEMORIES));
  }
  try {
    const asked = Promise.all(questions.map((ids) => store.gone(ids)));
    const answers = await withinDeadline(asked, RECALL_MS);
    const gone: string[] = [];
    for (const answer of answers) {
      if (!answer.ok) return null;
      gone.push(...answer.value);
    }
    return gone;
  } catch {
    return null;
  }
}
