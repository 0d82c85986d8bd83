// The embedded default model: deterministic, no key, no network. A message with a script (see script.ts) is
// played; any other is answered by `decideTurn`. It streams like a model does: in tokens, at a set pace, with usage at
// the end.
import { modelError } from "../../agent/state/model-error.ts";
import type { Model, ModelChunk, ModelRequest } from "../../agent/ports.ts";
import { SCRIPT_BURST_PIECES } from "../../protocol/models/limits.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { readPrompt } from "./read-prompt.ts";
import { pause } from "../../runtime/pause.ts";
import { parseScript, scriptTurn } from "./script.ts";
import type { DecideTurn, ScriptedTurn, TurnPart } from "./scripted-turn.ts";

/** About as long as the tokens of real models, so words are cut as theirs are. */
const TOKEN = /\s*\S{1,4}|\s+/g;
const CHARACTERS_PER_TOKEN = 4;
/** Milliseconds of a pause that lets other requests of the isolate run. */
const BREATH_MS = 1;

export interface ScriptedModelOptions {
  readonly name: string;
  /** 0 sends as fast as it can. */
  readonly tokensPerSecond: number;
  readonly decideTurn: DecideTurn;
}

export function createScriptedModel(options: ScriptedModelOptions): Model {
  return {
    name: options.name,
    origin: { provider: "scripted", host: null, credential_id: null },
    async *stream(request, stop) {
      const { turn, isFirst } = chooseTurn(request, options.decideTurn);
      const tokensPerSecond = turn.tokensPerSecond ?? options.tokensPerSecond;
      const isHurried = tokensPerSecond <= 0;
      // Unlike other models this one does no I/O: without a pause, rounds without a tool would be one long step of the
      // event loop.
      if (isHurried && !isFirst) await pause(BREATH_MS, stop);
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
          if (!isHurried) await pause(1_000 / tokensPerSecond, stop);
          else if (tokens % SCRIPT_BURST_PIECES === SCRIPT_BURST_PIECES - 1) {
            await pause(BREATH_MS, stop);
          }
          if (stop.aborted) return;
          tokens += 1;
          yield chunk;
        }
      }
      yield { usage: estimateUsage(request, tokens) };
    },
  };
}

function chooseTurn(
  request: ModelRequest,
  decideTurn: DecideTurn,
): { turn: ScriptedTurn; isFirst: boolean } {
  const talk = readPrompt(request.messages);
  const { userText, modelBlocks } = talk;
  const script = parseScript(userText);
  const turn = script ? scriptTurn(script, modelBlocks) : decideTurn(request, talk);
  return { turn, isFirst: modelBlocks === 0 };
}

function* partChunks(
  part: TurnPart,
  partIndex: number,
  callIndex: number,
): Generator<ModelChunk, void> {
  switch (part.type) {
    case "thinking":
      for (const thinking of tokensOf(part.text)) yield { thinking };
      break;
    case "signature":
      yield { thinking_signature: part.text };
      break;
    case "text":
      for (const text of tokensOf(part.text)) yield { text };
      break;
    case "call":
      yield { tool_calls: [{ index: callIndex, id: "", name: part.name, delta: "" }] };
      for (const delta of tokensOf(part.input)) yield { tool_calls: [{ index: callIndex, delta }] };
      break;
    case "data":
      yield { data: [{ index: partIndex, media_type: part.media_type, data: part.data }] };
      break;
    case "hint":
      yield { hint: part.text };
      break;
    case "wait":
    case "fail":
      break;
    default:
      part satisfies never;
  }
}

function* tokensOf(text: string): Generator<string, void> {
  for (const [token] of text.matchAll(TOKEN)) yield token;
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
