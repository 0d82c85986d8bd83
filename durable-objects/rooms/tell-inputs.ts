import type { RoomInputRequest } from "../../protocol/rooms/contract.ts";
import { reportRoomInputs } from "../../storage/rooms/room-registry.ts";

interface Told {
  readonly database: D1Database;
  readonly id: string;
  readonly tenant_id: string;
}

/** Tells D1 for whom the room waits, whenever that has changed. What a lost machine has told is told once more. */
export class InputTeller {
  readonly #place: Told;
  #told: string | null = null;

  constructor(place: Told) {
    this.#place = place;
  }

  /** Contract: never rejects. While somebody is waited for the alarm looks, and tells again what D1 did not take. */
  async tell(inputs: readonly RoomInputRequest[]): Promise<void> {
    const text = JSON.stringify(inputs.map(({ id }) => id));
    if (text === this.#told) return;
    const { database, ...room } = this.#place;
    try {
      await reportRoomInputs(database, room, inputs);
      this.#told = text;
    } catch (error) {
      console.warn("D1 was not told for whom a room waits", { error: String(error) });
    }
  }
}
