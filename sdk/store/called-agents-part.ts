import type { LoggedEvent } from "../../protocol/events.ts";
import { appendPlain } from "../../protocol/fold/append-plain.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import type { CalledAgents } from "./called-agents.ts";
import type { SessionHandle } from "../session/session-handle.ts";
import { askedCall, type ConversationState } from "./conversation.ts";
import { loadCalledAgents } from "./load-called-agents.ts";
import type { CalledAgent } from "./session-state.ts";
import { hasRunningCall, sameCalls, toSessionCall, type AnswerFates } from "./waiting-calls.ts";

const CORE = { append: appendPlain, start: startMessage, askedCall, toSessionCall, sameCalls };
const NONE: readonly CalledAgent[] = [];

/** The agents that a store's newest reply has called. What knows of them is loaded with the first. */
export class CalledAgentsPart {
  #agents: CalledAgents | null = null;
  #reading: AbortController | null = null;

  /** Begins anew with what was read; where agents may be at work, what was told of them is read in the background. */
  async load(
    session: SessionHandle,
    { live, replyId, cursor }: ConversationState,
    onChange: () => void,
  ): Promise<void> {
    this.stop();
    this.#agents = null;
    if (replyId === null || live?.message.id !== replyId) return;
    if (!hasRunningCall(live.message, [])) return;
    const agents = await this.#open(replyId);
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const source = {
      hasAny: async () => {
        const { subagents = [] } = await session.replies.get(replyId, { signal });
        return subagents.length > 0;
      },
      events: () => session.events({ replyId, signal }),
    };
    void agents.read(source, cursor, onChange);
  }

  /** Loads what an event needs. */
  async prepare(event: LoggedEvent, replyId: string | null): Promise<void> {
    if (event.type !== "CUSTOM" || !event.name.startsWith("subagent_") || this.#agents) return;
    await this.#open(replyId);
  }

  take(event: LoggedEvent): void {
    this.#agents?.take(event);
  }

  /** The same list as before when nothing has changed. */
  view(fates: AnswerFates): readonly CalledAgent[] {
    return this.#agents?.view(fates) ?? NONE;
  }

  /** Ends what is read in the background. */
  stop(): void {
    this.#reading?.abort();
  }

  async #open(replyId: string | null): Promise<CalledAgents> {
    const part = await loadCalledAgents();
    return (this.#agents ??= new part.CalledAgents(CORE, replyId));
  }
}
