// One turn of the scripted model as data: its parts in the order in which they are streamed.
import type { ModelRequest } from "../../agent/ports.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";
import type { ScriptedPrompt } from "./read-prompt.ts";

export type TurnPart =
  | { readonly type: "thinking"; readonly text: string }
  /** The signature of the preceding thinking, or of one without text. */
  | { readonly type: "signature"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** `input` is sent unchanged, even if it is invalid JSON. */
  | { readonly type: "call"; readonly name: string; readonly input: string }
  | { readonly type: "data"; readonly media_type: string; readonly data: string }
  | { readonly type: "hint"; readonly text: string }
  | { readonly type: "wait"; readonly waitMs: number }
  | { readonly type: "fail"; readonly error: ErrorType };

export interface ScriptedTurn {
  readonly parts: readonly TurnPart[];
  /** Overrides the pace of the model's definition for this turn. */
  readonly tokensPerSecond?: number;
}

/**
 * Decides the turn for a request whose user message holds no script. Contract: depends on its arguments alone, so that the
 * same conversation always gets the same answer.
 */
export type DecideTurn = (request: ModelRequest, prompt: ScriptedPrompt) => ScriptedTurn;

/**
 * The number of blocks that a turn adds to the message. Consecutive parts of text, or of thinking, are one block; data
 * does not separate them.
 */
export function countBlocks({ parts }: ScriptedTurn): number {
  let blocks = 0;
  let open: "text" | "thinking" | null = null;
  for (const part of parts) {
    switch (part.type) {
      case "text":
      case "thinking":
        if (open !== part.type) blocks += 1;
        open = part.type;
        break;
      case "signature":
        if (open !== "thinking") blocks += 1;
        else open = null;
        break;
      case "call":
        blocks += 1;
        open = null;
        break;
      case "data":
        blocks += 1;
        break;
      case "hint":
      case "wait":
      case "fail":
        break;
      default:
        part satisfies never;
    }
  }
  return blocks;
}
