// The wait before the next look at the silent task of an agent that gives a reply. An agent whose card has push notifications is
// given an address of ours: what it posts makes us look, and nothing of it is believed.
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import type { RemotePushConfig } from "../../a2a/client/write-wire.ts";
import {
  REMOTE_PUSH_CONFIG_MS,
  REMOTE_PUSH_LOOK_MS,
  REMOTE_PUSHED_POLL_MS,
} from "../../protocol/a2a/client-limits.ts";
import { REMOTE_LOOK_MS } from "../../protocol/a2a/remote-limits.ts";
import { pause } from "../../runtime/pause.ts";

/** The addresses of a reply, and what is posted there. */
export interface ReplyPushes {
  /** The same for the same time. Null where the platform does not know its own origin. */
  address(expiresAtMs: number): Promise<RemotePushConfig | null>;
  /** Resolves when the agent has posted that the task has changed, or the time is over. */
  until(waitMs: number, signal: AbortSignal): Promise<void>;
}

export class ReplyPush {
  readonly #client: RemoteAgentClient;
  readonly #pushes: ReplyPushes | null;
  /** The task for which the agent was given an address; without an id where it did not take it. */
  #given: { readonly taskId: string; readonly id: string | null } | null = null;

  constructor(client: RemoteAgentClient, pushes: ReplyPushes | undefined) {
    this.#client = client;
    this.#pushes = client.canPush ? (pushes ?? null) : null;
  }

  /** Resolves when the task is looked at again, or at `signal`. @param untilMs The end of the reply's wait for it. */
  async untilLook(taskId: string, untilMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#pushes) return pause(REMOTE_LOOK_MS, signal);
    if (this.#given?.taskId !== taskId) {
      this.#given = { taskId, id: await this.#give(taskId, untilMs, signal) };
      // Also what has happened before the agent had the address is seen.
      return pause(REMOTE_PUSH_LOOK_MS, signal);
    }
    if (this.#given.id === null) return pause(REMOTE_LOOK_MS, signal);
    await pause(REMOTE_PUSH_LOOK_MS, signal);
    return this.#pushes.until(REMOTE_PUSHED_POLL_MS, signal);
  }

  /** Nothing more has to be told of the task. */
  async end(taskId: string, signal: AbortSignal): Promise<void> {
    const given = this.#given;
    this.#given = null;
    if (given?.id == null || given.taskId !== taskId) return;
    await this.#client.deletePush(taskId, given.id, { signal });
  }

  async #give(taskId: string, untilMs: number, signal: AbortSignal): Promise<string | null> {
    const config = await this.#pushes?.address(untilMs);
    if (!config || signal.aborted) return null;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(REMOTE_PUSH_CONFIG_MS)]);
    const made = await this.#client.createPush(taskId, config, { signal: bounded });
    return made.ok ? made.value : null;
  }
}
