// Converts a conversation to chat completions messages. A stored assistant message is a complete reply with all its
// rounds; there, each round is a message of its own, followed by the results of its calls.
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from "openai/resources";

import type { ModelRequest } from "../../agent/ports.ts";
import type {
  ContentBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import { wholeLetters } from "../../outgoing/whole-letters.ts";
import { describeData } from "../conversation/describe-data.ts";
import { resultsById, splitRounds, type Round } from "../conversation/rounds.ts";
import { sendsReasoning } from "../conversation/unsigned-reasoning.ts";
import { toChatCallId, toFunctionName } from "../conversation/wire-names.ts";
import { alternating } from "./alternating-roles.ts";
import { openCallProof } from "./call-proof.ts";
import { toContent, toPart, type UserPart } from "./openai-content.ts";
import { provenThoughts } from "./proven-thoughts.ts";

export interface ChatForm {
  /** The author whose proofs are sent; without one no thinking is sent. */
  readonly by?: string;
  readonly form: RequestForm;
}

/**
 * System prompt first, then the messages. Thinking is omitted, because endpoints refuse it, except that of the same
 * model: signed thinking always, unsigned thinking as `send_reasoning` says. A result follows its call wherever it is in
 * the stored message; results without a call are dropped.
 */
export function toOpenAiMessages(
  { system_prompt, messages }: Pick<ModelRequest, "system_prompt" | "messages">,
  { by, form }: ChatForm = { form: {} },
): ChatCompletionMessageParam[] {
  const written: ChatCompletionMessageParam[] = [];
  const isSent = sendsReasoning(messages, form.send_reasoning);
  if (system_prompt !== "") written.push({ role: "system", content: system_prompt });
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const results = resultsById(message.content);
      const wire = { by, form, sendsUnsigned: isSent(index) };
      for (const round of splitRounds(message.content)) {
        written.push(...writeRound(round, results, wire));
      }
    } else if (message.role === "system") {
      written.push({ role: "system", content: textOf(message.content) });
    } else {
      const content = toContent(message.content.filter(isTextOrData));
      if (content.length > 0) written.push({ role: "user", content });
    }
  }
  return form.roles === "alternating" ? alternating(written) : written;
}

function* writeRound(
  { said, hints }: Round,
  results: ReadonlyMap<string, ToolResultBlock>,
  { by, form, sendsUnsigned }: ChatForm & { readonly sendsUnsigned: boolean },
): Generator<ChatCompletionMessageParam, void> {
  const thoughts = said.filter((block) => block.type === "thinking");
  const calls = said.filter((block) => block.type === "tool_call");
  const data = said.filter((block) => block.type === "data");
  const texts = said.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.filter((piece) => piece.trim() !== "").join("\n");
  const idOf = ({ id }: { readonly id: string }) => toChatCallId(id, form);
  const proofs = calls.map(({ signature }) => openCallProof(signature, by));
  const proven = provenThoughts(thoughts, {
    by,
    callIds: calls.map(idOf),
    sendsUnsigned: sendsUnsigned && proofs.every((proof) => !proof),
    form,
  });
  if (calls.length > 0) {
    const tool_calls = calls.map((call, index) => ({
      ...toCall(call, form),
      ...(proofs[index] ?? (index === 0 ? proven.ofFirstCall : {})),
    }));
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
    yield { role: "tool", tool_call_id: idOf(call), content: resultText(result) };
    shown.push(...resultParts(result, idOf(call)));
  }
  // Tool and assistant messages may contain text only, so their media follow the last result in a user message.
  if (shown.length > 0) yield { role: "user", content: shown };
  for (const { hint } of hints) {
    const content = typeof hint === "string" ? hint : toContent(hint);
    if (content.length > 0) yield { role: "user", content };
  }
}

/** The input is JSON in JSON, and is of whole letters too: endpoints read it. */
function toCall(
  { id, name, input }: ToolCallBlock,
  form: RequestForm,
): ChatCompletionMessageToolCall {
  const made = { name: toFunctionName(name), arguments: wholeLetters(input) };
  return { id: toChatCallId(id, form), type: "function", function: made };
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

function resultParts({ name, output }: ToolResultBlock, id: string): readonly UserPart[] {
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
