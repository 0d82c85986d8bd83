// Converts a conversation to chat completions messages. A stored assistant message is a complete reply with all its
// rounds; there, each round is a message of its own, followed by the results of its calls.
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from "openai/resources";

import type { ModelRequest } from "../../agent/ports.ts";
import type {
  ContentBlock,
  DataBlock,
  HintBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import { describeData } from "../describe-data.ts";
import { toContent, toPart, type UserPart } from "./openai-content.ts";
import { provenThoughts } from "./proven-thoughts.ts";

/** Endpoints refuse longer function names and other characters. */
const MAX_FUNCTION_NAME = 64;
const NOT_IN_FUNCTION_NAME = /[^A-Za-z0-9_-]/g;

/**
 * System prompt first, then the messages. Thinking is omitted, because endpoints refuse it, except thinking signed by
 * the same model. A result follows its call wherever it is in the stored message; results without a call are dropped.
 * @param by The author whose proofs are sent; without one no thinking is sent.
 */
export function toOpenAiMessages(
  { system_prompt, messages }: Pick<ModelRequest, "system_prompt" | "messages">,
  by?: string,
): ChatCompletionMessageParam[] {
  const written: ChatCompletionMessageParam[] = [];
  if (system_prompt !== "") written.push({ role: "system", content: system_prompt });
  for (const message of messages) {
    if (message.role === "assistant") {
      const results = resultsById(message.content);
      for (const round of splitRounds(message.content)) {
        written.push(...writeRound(round, results, by));
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

/** The blocks of one model call, and those after it until the next one. */
interface Round {
  readonly thoughts: ThinkingBlock[];
  readonly texts: string[];
  readonly calls: ToolCallBlock[];
  readonly data: DataBlock[];
  readonly hints: HintBlock[];
}

/** Splits at results and hints: output after one of them is from the next model call. */
function splitRounds(content: readonly ContentBlock[]): readonly Round[] {
  let round = emptyRound();
  const rounds = [round];
  let isClosed = false;
  for (const block of content) {
    const isSaid = block.type !== "tool_result" && block.type !== "hint";
    if (isSaid && isClosed) {
      round = emptyRound();
      rounds.push(round);
      isClosed = false;
    }
    if (block.type === "thinking") round.thoughts.push(block);
    else if (block.type === "text") round.texts.push(block.text);
    else if (block.type === "tool_call") round.calls.push(block);
    else if (block.type === "data") round.data.push(block);
    else if (block.type === "hint") round.hints.push(block);
    if (!isSaid) isClosed = true;
  }
  return rounds;
}

function emptyRound(): Round {
  return { thoughts: [], texts: [], calls: [], data: [], hints: [] };
}

function resultsById(content: readonly ContentBlock[]): ReadonlyMap<string, ToolResultBlock> {
  return new Map(
    content.filter((block) => block.type === "tool_result").map((block) => [block.id, block]),
  );
}

function* writeRound(
  { thoughts, texts, calls, data, hints }: Round,
  results: ReadonlyMap<string, ToolResultBlock>,
  by: string | undefined,
): Generator<ChatCompletionMessageParam, void> {
  const text = texts.filter((piece) => piece.trim() !== "").join("\n");
  const proven = provenThoughts(thoughts, { by, callIds: calls.map(({ id }) => id) });
  if (calls.length > 0) {
    const tool_calls = calls.map((call, index) =>
      index === 0 ? { ...toCall(call), ...proven.ofFirstCall } : toCall(call),
    );
    const content = text === "" ? null : text;
    yield { role: "assistant", content, tool_calls, ...proven.ofMessage };
  } else if (text !== "") {
    yield { role: "assistant", content: text, ...proven.ofMessage };
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
  // Tool and assistant messages may contain text only, so their media follow the last result in a user message.
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

/**
 * Sanitises a tool name: an invalid one that a model invented is in the history and would make every later request
 * fail.
 */
function toFunctionName(name: string): string {
  return name.replaceAll(NOT_IN_FUNCTION_NAME, "_").slice(0, MAX_FUNCTION_NAME) || "unnamed";
}
