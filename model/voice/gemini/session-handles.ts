// The handle by which a session of Gemini's goes on over a new connection: the newest of a state that can be resumed, with what
// of the conversation is in that state. In memory alone: who has the handle has the session.
import { speechOf } from "../../../protocol/voice/events.ts";
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import {
  ConversationFeed,
  type FeedEntry,
  type FeedMemory,
} from "../realtime/conversation-feed.ts";
import { HANDLE_MS } from "./limits.ts";

interface KeptHandle {
  /** The model, its endpoint and its credential: a handle is of no other. */
  readonly owner: string;
  readonly handle: string;
  readonly memory: FeedMemory;
}

/** A session that goes on. */
export interface Resumption {
  readonly handle: string;
  readonly feed: ConversationFeed;
  /** Entries that the session has not been told yet. */
  readonly untold: readonly FeedEntry[];
}

/** The handle of one voice, whose connections follow each other. */
export class SessionHandles {
  readonly #now: () => number;
  #kept: (KeptHandle & { readonly atMs: number }) | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  keep(kept: KeptHandle): void {
    this.#kept = { ...kept, atMs: this.#now() };
  }

  drop(): void {
    this.#kept = null;
  }

  /**
   * The session that goes on; null where the conversation has to be told anew: it has lost something that the session
   * has, or has got more since than words and pictures of the user.
   */
  resume(owner: string, setup: Pick<VoiceSetup, "history" | "unheard">): Resumption | null {
    const kept = this.#kept;
    if (!kept || kept.owner !== owner) return null;
    if (this.#now() - kept.atMs >= HANDLE_MS) return null;
    const { handle, memory } = kept;
    const ids = new Set(setup.history.map(({ id }) => id));
    // The key of a piece has a blank, the id of a message has none.
    if (memory.had.some((key) => !key.includes(" ") && !ids.has(key))) return null;
    const feed = feedOf(setup, memory);
    const untold = feed.take(setup.history);
    const isUsers = untold.every(({ type, message }) => type === "told" && message.role === "user");
    return isUsers ? { handle, feed, untold } : null;
  }
}

/** Speech that the session has not heard is told in words. */
function feedOf(
  { history, unheard = [] }: Pick<VoiceSetup, "history" | "unheard">,
  memory: FeedMemory,
) {
  const had = new Set(memory.had);
  const missed = history.filter((message) => speechOf(message) && !had.has(message.id));
  const ids = missed.map(({ id }) => id);
  return new ConversationFeed({ history: [], unheard: [...unheard, ...ids] }, memory);
}
