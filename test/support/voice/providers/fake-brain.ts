// The model of a fake realtime provider: its conversation, and what the scripted model says to it, as text and as tones.
import { refundDeskTurn } from "../../../../demo/refund-desk-turn.ts";
import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { ToneWriter } from "../../../../model/voice/tones.ts";
import type { ToolDeclaration } from "../../../../agent/ports.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import type { Msg, Usage } from "../../../../protocol/messages/messages.ts";

export type BrainItem =
  | {
      readonly type: "text";
      readonly id: string;
      readonly role: "user" | "assistant" | "system";
      text: string;
      /** Of what the provider has said; 0 for all else. */
      audioMs: number;
    }
  | {
      readonly type: "call";
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      input: string;
    }
  | {
      readonly type: "result";
      readonly id: string;
      readonly call_id: string;
      readonly output: string;
    };

export type BrainPiece =
  | { readonly type: "text"; readonly delta: string; readonly audio: Uint8Array }
  | {
      readonly type: "call";
      readonly index: number;
      readonly name: string | undefined;
      readonly delta: string;
    }
  | { readonly type: "usage"; readonly usage: Usage };

export const AUDIO_RATE = 24_000;

const MODEL = createScriptedModel({
  name: "refund-desk",
  tokensPerSecond: 0,
  decideTurn: refundDeskTurn,
});

export class FakeBrain {
  items: BrainItem[] = [];

  find(id: string): BrainItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
  }

  /** The conversation in lines, as a test compares it. */
  lines(): string[] {
    return this.items.map((item) => {
      if (item.type === "text") return `${item.role}: ${item.text}`;
      if (item.type === "call") return `calls ${item.name} ${item.input}`;
      return `result ${item.output}`;
    });
  }

  /** Pieces of one response, as the scripted model has them for the conversation. */
  async *answer(tools: readonly string[], stop: AbortSignal): AsyncGenerator<BrainPiece, void> {
    let tones = new ToneWriter(AUDIO_RATE);
    const request = { system_prompt: "", messages: this.#messages(), tools: tools.map(toTool) };
    for await (const { text, tool_calls, usage } of MODEL.stream(request, stop)) {
      if (stop.aborted) return;
      if (text) yield { type: "text", delta: text, audio: tones.write(text) };
      for (const { index, name, delta } of tool_calls ?? []) {
        yield { type: "call", index, name, delta };
        tones = new ToneWriter(AUDIO_RATE);
      }
      if (usage) yield { type: "usage", usage };
    }
  }

  /** Items of the assistant that follow each other are one message. */
  #messages(): readonly Msg[] {
    const messages: Msg[] = [];
    for (const item of this.items) {
      if (item.type === "text" && item.role !== "assistant") {
        messages.push(UserMsg("user", item.text));
        continue;
      }
      const block = AssistantMsg("agent", [this.#blockOf(item)]).content;
      const last = messages.at(-1);
      if (last?.role !== "assistant") messages.push(AssistantMsg("agent", block));
      else messages[messages.length - 1] = { ...last, content: [...last.content, ...block] };
    }
    return messages;
  }

  #blockOf(item: BrainItem) {
    if (item.type === "text") return { type: "text", text: item.text } as const;
    const { call_id: id } = item;
    if (item.type === "call") {
      const { name, input } = item;
      return { type: "tool_call", id, name, input, state: "finished" } as const;
    }
    const call = this.items.find((one) => one.type === "call" && one.call_id === id);
    const name = call?.type === "call" ? call.name : "";
    return { type: "tool_result", id, name, output: item.output, state: "success" } as const;
  }
}

function toTool(name: string): ToolDeclaration {
  return {
    name,
    description: "",
    input_schema: { type: "object" },
    read_only: true,
    concurrency_safe: false,
    idempotent: false,
  };
}
