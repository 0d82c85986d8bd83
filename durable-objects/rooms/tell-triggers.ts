import { roomStatus } from "../../agent/rooms/next-steps.ts";
import { TRIGGER_ANSWER_MS } from "../../protocol/triggers/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { triggerObjectName, type TriggerApi } from "../api/trigger-api.ts";
import { TOLD_TRIGGERS_AT_ONCE } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";
import type { FollowedPlace } from "./triggered-messages.ts";

/**
 * Tells triggers that the discussion of their message has ended, waits for people, or goes on. Nothing depends on it: a trigger
 * that is not told looks.
 */
export class TriggerTeller {
  readonly #room: OpenRoom;
  #wasWaiting = false;

  constructor(room: OpenRoom) {
    this.#room = room;
  }

  /** Contract: never rejects. */
  async tell(): Promise<void> {
    const { state, triggered } = this.#room;
    const isWaiting = roomStatus(state) === "waiting";
    const held = isWaiting === this.#wasWaiting ? [] : triggered.open(TOLD_TRIGGERS_AT_ONCE);
    this.#wasWaiting = isWaiting;
    await Promise.all([...triggered.takeEnded(), ...held].map((place) => this.#tell(place)));
  }

  async #tell({ trigger_id, message_id }: FollowedPlace): Promise<void> {
    const { env, init } = this.#room;
    try {
      const name = triggerObjectName(init.tenant_id, trigger_id);
      const stub = env.TRIGGER.getByName(name) as unknown as TriggerApi;
      await withinDeadline(stub.noteMessage(message_id), TRIGGER_ANSWER_MS);
    } catch (error) {
      console.warn("a trigger was not told of its discussion; it will look", {
        trigger_id,
        error: String(error),
      });
    }
  }
}
