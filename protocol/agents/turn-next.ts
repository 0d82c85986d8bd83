/**
 * Steps that may follow a turn of an agent in code over HTTP: the reply's end, a turn of the agent's own model, another turn of the
 * server, the model loop to the reply's end.
 */
export const TURN_NEXTS = ["end", "model", "turn", "loop"] as const;
export type TurnNext = (typeof TURN_NEXTS)[number];
