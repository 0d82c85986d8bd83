// Scripts: output instructions in a user's message, as lines that begin with a slash.
//
//   /think TEXT          thinking            /data MEDIA_TYPE BASE64   a data block
//   /sign PROOF          ends the thinking with the provider's proof of it
//   /say TEXT            text                /words N                  N words of filler text
//   /call NAME JSON      a tool call         /wait MS                  a pause
//   /fail TYPE           the call fails      /rate N                   N tokens per second from here on
//   /then                ends the model call, unless it has only thought so far
//                                            /hint TEXT                a note of the adapter's
//   /loop                starts over when the script is through
//   /structured JSON     the call that fills the structured output in
//
// Consecutive calls are made in one turn, in parallel; any other part after them starts the next turn.
import { MAX_SCRIPT_WORDS } from "../../protocol/models/limits.ts";
import { ErrorTypeSchema } from "../../protocol/messages/messages.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../protocol/schemas/structured-output.ts";
import { countBlocks, type ScriptedTurn, type TurnPart } from "./scripted-turn.ts";

export interface Script {
  readonly turns: readonly ScriptedTurn[];
  readonly isLooping: boolean;
}

const FILLER = [
  "a",
  "parcel",
  "left",
  "the",
  "harbour",
  "before",
  "dawn",
  "and",
  "nobody",
  "minded",
];

/** The script in a message's text, or null when no line begins with a known command. */
export function parseScript(text: string): Script | null {
  const turns: ScriptedTurn[] = [];
  let parts: TurnPart[] = [];
  let tokensPerSecond: number | undefined;
  let isScript = false;
  let isLooping = false;

  for (const line of text.split("\n")) {
    const [, command, rest = ""] = /^\s*\/([a-z]+)(?: (.*))?$/.exec(line) ?? [];
    // A model call of thinking alone is made again: the script would not continue.
    if (command === "then" && !parts.every(isThought)) endTurn();
    else if (command === "then") isScript = true;
    else if (command === "loop") isLooping = true;
    else if (command === "rate") tokensPerSecond = Number(rest) || 0;
    else {
      const part = command ? parsePart(command, rest) : null;
      if (!part) continue;
      if (part.type !== "call" && parts.at(-1)?.type === "call") endTurn();
      parts.push(joined(part, parts.at(-1)));
    }
    isScript = true;
  }
  endTurn();
  return isScript ? { turns, isLooping } : null;

  function endTurn(): void {
    if (parts.length > 0) turns.push({ parts, tokensPerSecond });
    parts = [];
  }
}

/** @param blocksSoFar Blocks of the model in the reply so far; they determine the next turn. */
export function scriptTurn(script: Script, blocksSoFar: number): ScriptedTurn {
  const total = script.turns.reduce((sum, turn) => sum + countBlocks(turn), 0);
  let position = script.isLooping && total > 0 ? blocksSoFar % total : blocksSoFar;
  for (const turn of script.turns) {
    if (position <= 0) return turn;
    position -= countBlocks(turn);
  }
  return { parts: [{ type: "text", text: "The script is through." }] };
}

function parsePart(command: string, rest: string): TurnPart | null {
  const [first = "", second = ""] = splitOnce(rest);
  switch (command) {
    case "think":
      return { type: "thinking", text: rest };
    case "sign":
      return { type: "signature", text: rest };
    case "say":
      return { type: "text", text: rest };
    case "words":
      return { type: "text", text: filler(Math.min(Number(rest) || 0, MAX_SCRIPT_WORDS)) };
    case "call":
      return { type: "call", name: first, input: second };
    case "structured":
      return { type: "call", name: STRUCTURED_OUTPUT_TOOL, input: rest };
    case "data":
      return { type: "data", media_type: first, data: second };
    case "hint":
      return { type: "hint", text: rest };
    case "wait":
      return { type: "wait", waitMs: Number(rest) || 0 };
    case "fail":
      return { type: "fail", error: ErrorTypeSchema.catch("unknown").parse(first) };
    default:
      return null;
  }
}

function isThought({ type }: TurnPart): boolean {
  return type === "thinking" || type === "signature";
}

/** Joins the lines of one block with newlines. */
function joined(part: TurnPart, before: TurnPart | undefined): TurnPart {
  const isSameBlock =
    (part.type === "text" || part.type === "thinking") && before?.type === part.type;
  return isSameBlock ? { ...part, text: `\n${part.text}` } : part;
}

function filler(words: number): string {
  return Array.from({ length: words }, (_, index) => FILLER[index % FILLER.length]).join(" ");
}

function splitOnce(text: string): readonly string[] {
  const space = text.indexOf(" ");
  return space === -1 ? [text] : [text.slice(0, space), text.slice(space + 1)];
}
