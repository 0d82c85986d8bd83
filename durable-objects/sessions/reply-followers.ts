// Calls of MCP that follow replies of the session: which of them still ask, and whose leaving ends the reply. In memory
// alone, since they say it again with each question: an object that was lost knows them after the next one.

/** A call of MCP, by the random id that the Worker has given it. */
export interface FollowingCall {
  readonly id: string;
  /** Whether the reply ends when its client leaves: the call has begun it, or has resumed it. */
  readonly owns: boolean;
}

interface Follower {
  readonly replyId: string;
  readonly owns: boolean;
  /** Until when it counts without another question; Unix milliseconds. */
  readonly untilMs: number;
}

/** The calls that follow replies. A reply has one owner at most: the newest call that took it over. */
export class ReplyFollowers {
  /** By the ids of their calls, the newest last. */
  readonly #followers = new Map<string, Follower>();
  readonly #now: () => number;

  /** @param now The clock, in Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A question of the call for the reply. What it owns by now stays so. */
  note(replyId: string, { id, owns }: FollowingCall, untilMs: number): void {
    this.#prune();
    const known = this.#followers.get(id);
    this.#followers.set(id, { replyId, owns: known?.owns ?? owns, untilMs });
  }

  /** The call takes the reply over, and owns it if it does anyway or another one has. Returns whether it owns it. */
  takeOver(replyId: string, { id, owns }: FollowingCall, untilMs: number): boolean {
    const others = this.#othersOf(replyId, id);
    const isOwner = owns || others.some(([, other]) => other.owns);
    if (isOwner) {
      for (const [otherId, other] of others) {
        this.#followers.set(otherId, { ...other, owns: false });
      }
    }
    this.#followers.delete(id);
    this.#followers.set(id, { replyId, owns: isOwner, untilMs });
    return isOwner;
  }

  /**
   * The call's client has left. Returns whether the reply has lost its owner; another call that follows it becomes the
   * owner in its place.
   */
  leave(replyId: string, { id, owns }: FollowingCall): boolean {
    const isOwner = this.#followers.get(id)?.owns ?? owns;
    const [heirId, heir] = this.#othersOf(replyId, id).at(-1) ?? [];
    this.#followers.delete(id);
    if (!isOwner) return false;
    if (heirId === undefined || !heir) return true;
    this.#followers.set(heirId, { ...heir, owns: true });
    return false;
  }

  #othersOf(replyId: string, id: string): [string, Follower][] {
    this.#prune();
    return [...this.#followers].filter(
      ([otherId, other]) => otherId !== id && other.replyId === replyId,
    );
  }

  #prune(): void {
    const nowMs = this.#now();
    for (const [id, { untilMs }] of this.#followers) {
      if (untilMs <= nowMs) this.#followers.delete(id);
    }
  }
}
