// A conversation as plain text, for a model that summarises it without being part of it. What was said is quoted as
// JSON, so that no text can pass for a line of the transcript.
import type {
  ContentBlock,
  TextOrDataBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { cutText } from "./summary-form.ts";

/**
 * Its entries, oldest first: one for each block, and one for a call with its result. Thinking is left out.
 * @param maxCharacters Of one entry; of a longer one the beginning is kept.
 */
export function transcriptOf(messages: readonly Msg[], maxCharacters: number): readonly string[] {
  return messages.flatMap((message) => {
    const results = new Map(
      message.content
        .filter((block): block is ToolResultBlock => block.type === "tool_result")
        .map((block) => [block.id, block]),
    );
    return message.content.flatMap((block) => {
      const entry = entryOf(block, message, results);
      return entry === null ? [] : [cutText(entry, maxCharacters)];
    });
  });
}

/** Slices of consecutive entries, each with as many characters at most; a longer entry is one by itself. */
export function sliceEntries(
  entries: readonly string[],
  maxCharacters: number,
): readonly (readonly string[])[] {
  const slices: string[][] = [];
  let room = 0;
  for (const entry of entries) {
    const slice = slices.at(-1);
    if (slice && entry.length < room) slice.push(entry);
    else {
      slices.push([entry]);
      room = maxCharacters;
    }
    room -= entry.length + 1;
  }
  return slices;
}

function entryOf(
  block: ContentBlock,
  { role }: Msg,
  results: ReadonlyMap<string, ToolResultBlock>,
): string | null {
  switch (block.type) {
    case "text":
      return `${role}: ${JSON.stringify(block.text)}`;
    case "data":
      return `${role}: ${noteOf(block)}`;
    case "hint":
      return `note to the assistant: ${outputOf(block.hint)}`;
    case "tool_call": {
      const result = results.get(block.id);
      const said = result ? `${result.state}: ${outputOf(result.output)}` : "no result";
      return `assistant called ${block.name} with ${JSON.stringify(block.input)}, ${said}`;
    }
    case "thinking":
    case "tool_result":
      return null;
    default:
      return block satisfies never;
  }
}

function outputOf(output: string | readonly TextOrDataBlock[]): string {
  if (typeof output === "string") return JSON.stringify(output);
  const parts = output.map((block) =>
    block.type === "text" ? JSON.stringify(block.text) : noteOf(block),
  );
  return parts.join(" ");
}

function noteOf({ name, source }: Extract<TextOrDataBlock, { type: "data" }>): string {
  const named = name ? ` named ${JSON.stringify(name)}` : "";
  return `[a medium of type ${source.media_type}${named}]`;
}
