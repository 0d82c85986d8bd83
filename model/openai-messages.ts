// A conversation as a chat completions endpoint wants it. A stored assistant message is a whole reply, with all
// its rounds; there each round is a message of its own, followed by the results of its calls.
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from "openai/resources";

import type { ModelRequest } from "../agent/ports.ts";
import type {
  ContentBlock,
  DataBlock,
  HintBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../protocol/blocks.ts";
import { describeData, toContent, toPart, type UserPart } from "./openai-content.ts";

/** Endpoints refuse longer names of functions, and other characters than these in them. */
const MAX_FUNCTION_NAME = 64;
const NOT_IN_FUNCTION_NAME = /[^A-Za-z0-9_-]/g;

/**
 * System prompt first, then the messages. Thinking is left out: endpoints refuse what they did not ask for.
 * A result follows its call wherever it stands in the stored message; one without a call is left out.
 */
export function toOpenAiMessages({
  system_prompt,
  messages,
}: Pick<ModelRequest, "system_prompt" | "messages">): ChatCompletionMessageParam[] {
  const written: ChatCompletionMessageParam[] = [];
  if (system_prompt !== "") written.push({ role: "system", content: system_prompt });
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const round of splitRounds(message.content)) {
        written.push(...writeRound(round, resultsById(message.content)));
      }
    } else if (message.role === "system") {
      written.push({ role: "system", content: textOf(message.content) });
    } else {
      const content = toContent(message.content.filter(isTextOrData));
      if (content.length > 0) written.push({ role: "user", content });
    }
  }
  return written;
}

/** What one model call wrote, and what stands after it until the next one. */
interface Round {
  readonly texts: string[];
  readonly calls: ToolCallBlock[];
  readonly data: DataBlock[];
  readonly hints: HintBlock[];
}

/** A text or a call after a result or a hint was written by the next model call. */
function splitRounds(content: readonly ContentBlock[]): readonly Round[] {
  let round: Round = { texts: [], calls: [], data: [], hints: [] };
  const rounds = [round];
  let isClosed = false;
  for (const block of content) {
    const isWritten = block.type === "text" || block.type === "tool_call" || block.type === "data";
    if (isWritten && isClosed) {
      round = { texts: [], calls: [], data: [], hints: [] };
      rounds.push(round);
      isClosed = false;
    }
    if (block.type === "text") round.texts.push(block.text);
    else if (block.type === "tool_call") round.calls.push(block);
    else if (block.type === "data") round.data.push(block);
    else if (block.type === "hint") round.hints.push(block);
    if (block.type === "hint" || block.type === "tool_result") isClosed = true;
  }
  return rounds;
}

function resultsById(content: readonly ContentBlock[]): ReadonlyMap<string, ToolResultBlock> {
  return new Map(
    content.filter((block) => block.type === "tool_result").map((block) => [block.id, block]),
  );
}

function* writeRound(
  { texts, calls, data, hints }: Round,
  results: ReadonlyMap<string, ToolResultBlock>,
): Generator<ChatCompletionMessageParam, void> {
  const text = texts.filter((piece) => piece.trim() !== "").join("\n");
  if (calls.length > 0) {
    yield { role: "assistant", content: text === "" ? null : text, tool_calls: calls.map(toCall) };
  } else if (text !== "") {
    yield { role: "assistant", content: text };
  }
  const shown: UserPart[] = data.flatMap((block) => [
    { type: "text", text: `The assistant made ${describeData(block)}:` },
    toPart(block),
  ]);
  for (const call of calls) {
    const result = results.get(call.id);
    if (!result) continue;
    yield { role: "tool", tool_call_id: call.id, content: resultText(result) };
    shown.push(...resultParts(result));
  }
  // Tool and assistant messages hold text only, so what they show comes from the user, after the last result.
  if (shown.length > 0) yield { role: "user", content: shown };
  for (const { hint } of hints) {
    const content = typeof hint === "string" ? hint : toContent(hint);
    if (content.length > 0) yield { role: "user", content };
  }
}

function toCall({ id, name, input }: ToolCallBlock): ChatCompletionMessageToolCall {
  return { id, type: "function", function: { name: toFunctionName(name), arguments: input } };
}

/** Never empty: some endpoints refuse an empty result. */
function resultText({ output, state }: ToolResultBlock): string {
  const text =
    typeof output === "string"
      ? output
      : output
          .map((block) => (block.type === "text" ? block.text : `[${describeData(block)} follows]`))
          .join("\n");
  return text === "" ? `[no output, state: ${state}]` : text;
}

function resultParts({ id, name, output }: ToolResultBlock): readonly UserPart[] {
  if (typeof output === "string") return [];
  return output
    .filter((block) => block.type === "data")
    .flatMap((block): UserPart[] => [
      { type: "text", text: `The tool ${name} (${id}) returned ${describeData(block)}:` },
      toPart(block),
    ]);
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function isTextOrData(
  block: ContentBlock,
): block is Extract<ContentBlock, { type: "text" | "data" }> {
  return block.type === "text" || block.type === "data";
}

/** A name that a model made up stays in the message; sent back as it is, it would fail every later call. */
function toFunctionName(name: string): string {
  return name.replaceAll(NOT_IN_FUNCTION_NAME, "_").slice(0, MAX_FUNCTION_NAME) || "unnamed";
}
