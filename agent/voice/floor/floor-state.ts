// The floor of a session that may have several voice connections: who is connected, and whose audio is heard. Plain data.

export interface FloorState {
  /** Connections, oldest first. */
  readonly connections: readonly FloorConnection[];
  /** The connection whose audio is heard; null until one of them speaks. */
  readonly holder: number | null;
}

export interface FloorConnection {
  readonly id: number;
  /** Its actor, as one word. */
  readonly actor: string;
  readonly turns: "server" | "manual";
  /** When it is over. */
  readonly ends_ms: number;
  /** Milliseconds of audio, and frames of other kinds, that may come at once, as of `filled_ms`. */
  readonly audio_credit_ms: number;
  readonly frame_credit: number;
  readonly filled_ms: number;
  /** When speech of it was heard last. */
  readonly spoke_ms: number;
  /** With `manual` turns: it was heard, and has not ended its turn. */
  readonly is_uncommitted: boolean;
  /** Its speech under way is not heard, to the end of that. */
  readonly is_refused: boolean;
}

export const EMPTY_FLOOR: FloorState = { connections: [], holder: null };

/** When the next connection is over; null for none. */
export function floorDueMs({ connections }: FloorState): number | null {
  const times = connections.map(({ ends_ms }) => ends_ms);
  return times.length === 0 ? null : Math.min(...times);
}
