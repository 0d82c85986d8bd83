import type { TurnNext } from "../protocol/agents/turn-next.ts";

/** The parts of a chunk that an agent in code over HTTP gives, and no model. */
export interface ServedChunk {
  /** The text or the thought before this chunk ends there: what follows is a block of its own. */
  readonly ends_block?: true;
  /** On the last chunk: what follows the turn; null where the server has not said it. */
  readonly next?: TurnNext | null;
}
