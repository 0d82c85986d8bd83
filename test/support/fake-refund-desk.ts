// The refund desk's mind behind a chat completions endpoint: it reads the conversation off the wire and answers in
// the chunk shapes of a reasoning model that calls tools in parallel.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import { AssistantMsg, UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { readPrompt } from "../../model/scripted/read-prompt.ts";
import type { FakeStream, FakeTurn } from "./fake-openai.ts";

interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** One answer of the desk. Serves every turn of every conversation. */
export const refundDesk: FakeTurn = (stream, { body }) => {
  const { messages, tools = [] } = body as WireRequest;
  const history = readMessages(messages);
  const request = {
    system_prompt: "",
    messages: history,
    tools: tools.map((tool) => ({
      name: tool.function.name,
      description: "",
      input_schema: {},
      read_only: false,
      concurrency_safe: false,
      idempotent: false,
    })),
  };
  const { parts } = refundDeskTurn(request, readPrompt(history));
  stream.delta({ role: "assistant", content: "", refusal: null });
  const calls = parts.flatMap((part) => (part.type === "call" ? [part] : []));
  for (const part of parts) {
    if (part.type === "thinking") {
      for (const token of tokensOf(part.text)) stream.delta({ reasoning_content: token });
    }
    if (part.type === "text") for (const token of tokensOf(part.text)) stream.text(token);
  }
  if (calls.length > 0) writeCalls(stream, calls, messages.length);
  stream.finish(calls.length > 0 ? "tool_calls" : "stop");
  stream.usage(100, 20, 50);
  stream.done();
};

/** Each call begins in turn; then their inputs come in pieces that take turns. */
function writeCalls(
  stream: FakeStream,
  calls: readonly { readonly name: string; readonly input: string }[],
  turn: number,
): void {
  const pieces = calls.map(({ input }) => input.match(/.{1,6}/gs) ?? []);
  calls.forEach(({ name }, index) => {
    stream.calls({ index, id: `call_${turn}_${index}`, name });
    stream.calls({ index, arguments: pieces[index]?.[0] });
  });
  const longest = Math.max(...pieces.map((list) => list.length));
  for (let piece = 1; piece < longest; piece += 1) {
    const deltas = pieces.flatMap((list, index) =>
      list[piece] === undefined ? [] : [{ index, arguments: list[piece] }],
    );
    stream.calls(...deltas);
  }
}

function readMessages(messages: readonly WireMessage[]): Msg[] {
  const names = new Map(
    messages
      .flatMap((message) => message.tool_calls ?? [])
      .map((call) => [call.id, call.function.name]),
  );
  return messages.flatMap((message): Msg[] => {
    const text = message.content ?? "";
    if (message.role === "user") return [UserMsg({ name: "user", content: text })];
    if (message.role !== "tool") return [];
    const id = message.tool_call_id ?? "";
    return [AssistantMsg({ name: "desk", content: [readResult(id, names.get(id) ?? "", text)] })];
  });
}

/** The wire has no state for a result: bad news is told by its words. */
function readResult(id: string, name: string, output: string): ContentBlock {
  const isError = /^(?:there is no|The tool|The input)/.test(output);
  return {
    type: "tool_result",
    id,
    name,
    output,
    state: isError ? "error" : "success",
    metadata: {},
    created_at: "",
    finished_at: "",
  };
}

function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,5}|\s+/g) ?? [];
}
