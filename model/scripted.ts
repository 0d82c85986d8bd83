// The embedded default model: deterministic, no key, no network. A message with a script (see script.ts) is
// played; everything else is answered by the refund desk's mind. It streams like a model does: in tokens, at a
// set pace, with usage at the end.
import { modelError } from "../agent/model-error.ts";
import type { Model, ModelChunk, ModelRequest } from "../agent/ports.ts";
import type { Usage } from "../protocol/messages.ts";
import { conversation } from "./conversation.ts";
import { pause } from "./pause.ts";
import { refundDeskTurn } from "./refund-desk.ts";
import { parseScript, scriptTurn } from "./script.ts";
import type { ScriptedTurn, TurnPart } from "./scripted-turn.ts";

/** About as long as the tokens of real models, so words are cut as theirs are. */
const TOKEN = /\s*\S{1,4}|\s+/g;
const CHARACTERS_PER_TOKEN = 4;

export interface ScriptedModelOptions {
  readonly name: string;
  /** 0 sends as fast as it can. */
  readonly tokensPerSecond: number;
}

export function createScriptedModel(options: ScriptedModelOptions): Model {
  return {
    name: options.name,
    async *stream(request, stop) {
      const turn = planTurn(request);
      const tokensPerSecond = turn.tokensPerSecond ?? options.tokensPerSecond;
      let tokens = 0;
      let calls = 0;
      for (const [index, part] of turn.parts.entries()) {
        if (part.type === "wait") await pause(part.waitMs, stop);
        if (part.type === "fail") {
          yield { error: modelError(part.error) };
          return;
        }
        if (part.type === "call") calls += 1;
        for (const chunk of partChunks(part, index, calls - 1)) {
          if (tokensPerSecond > 0) await pause(1_000 / tokensPerSecond, stop);
          if (stop.aborted) return;
          tokens += 1;
          yield chunk;
        }
      }
      yield { usage: estimateUsage(request, tokens) };
    },
  };
}

function planTurn(request: ModelRequest): ScriptedTurn {
  const { userText, modelBlocks } = conversation(request.messages);
  const script = parseScript(userText);
  return script ? scriptTurn(script, modelBlocks) : refundDeskTurn(request);
}

function partChunks(part: TurnPart, partIndex: number, callIndex: number): readonly ModelChunk[] {
  switch (part.type) {
    case "thinking":
      return tokensOf(part.text).map((thinking) => ({ thinking }));
    case "signature":
      return [{ thinking_signature: part.text }];
    case "text":
      return tokensOf(part.text).map((text) => ({ text }));
    case "call": {
      const first = { index: callIndex, id: "", name: part.name, delta: "" };
      const rest = tokensOf(part.input).map((delta) => ({ index: callIndex, delta }));
      return [first, ...rest].map((delta) => ({ tool_calls: [delta] }));
    }
    case "data":
      return [{ data: [{ index: partIndex, media_type: part.media_type, data: part.data }] }];
    case "hint":
      return [{ hint: part.text }];
    case "wait":
    case "fail":
      return [];
    default:
      return part satisfies never;
  }
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

/** Everything but the newest message counts as read from the provider's cache. */
function estimateUsage(request: ModelRequest, outputTokens: number): Usage {
  const sizes = request.messages.map((message) => JSON.stringify(message.content).length);
  const cached = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
  const all = cached + (sizes.at(-1) ?? 0) + request.system_prompt.length;
  return {
    input_tokens: Math.ceil(all / CHARACTERS_PER_TOKEN),
    output_tokens: outputTokens,
    cache_input_tokens: Math.floor(cached / CHARACTERS_PER_TOKEN),
    cache_creation_input_tokens: 0,
  };
}
