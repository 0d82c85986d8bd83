// The session of a realtime connection as it is set up.
import type { ModelRequest, ToolDeclaration } from "../../../agent/ports.ts";
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import type { RemoteRealtimeModel } from "../../../protocol/voice/realtime-models.ts";
import { sentSchema } from "../../conversation/sent-schema.ts";
import { toFunctionName } from "../../conversation/wire-names.ts";
import type { RealtimeNames } from "./realtime-names.ts";

type Parameters = Extract<RemoteRealtimeModel, { provider: "openai" }>["parameters"];

export interface SessionSetup extends Pick<
  VoiceSetup,
  "instructions" | "tools" | "voice" | "turns" | "rates"
> {
  readonly parameters: Parameters;
}

export function sessionOf(
  { instructions, tools, voice, turns, rates, parameters }: SessionSetup,
  names: RealtimeNames,
): Record<string, unknown> {
  const { transcription, noise_reduction, speed, reasoning_effort, max_output_tokens } = parameters;
  const named = voice === "default" ? {} : { voice };
  const turn_detection = names.findsTurns ? turnDetection(turns) : null;
  const input = {
    format: { type: "audio/pcm", rate: rates.input },
    ...(transcription !== undefined && { transcription }),
    ...(noise_reduction !== undefined && {
      noise_reduction: noise_reduction && { type: noise_reduction },
    }),
    ...(!names.isFlat && { turn_detection }),
  };
  const output = {
    format: { type: "audio/pcm", rate: rates.output },
    ...(!names.isFlat && named),
    ...(speed !== undefined && { speed }),
  };
  return {
    ...(names.isFlat
      ? { ...named, turn_detection }
      : { type: "realtime", output_modalities: ["audio"] }),
    instructions,
    audio: { input, output },
    tools: tools.map(toTool),
    tool_choice: "auto",
    ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
    ...(max_output_tokens !== undefined && { max_output_tokens }),
  };
}

export function changesOf(
  instructions: string,
  tools: readonly ToolDeclaration[],
  { isFlat }: RealtimeNames,
): Record<string, unknown> {
  return { ...(!isFlat && { type: "realtime" }), instructions, tools: tools.map(toTool) };
}

/** Every member: of some alone the provider makes others. It tells of turns, and the session decides what they do. */
function turnDetection(turns: VoiceSetup["turns"]) {
  if (!turns) return null;
  const { threshold, prefix_padding_ms, silence_duration_ms } = turns;
  return {
    type: "server_vad",
    threshold,
    prefix_padding_ms,
    silence_duration_ms,
    create_response: false,
    interrupt_response: false,
  };
}

function toTool({ name, description, input_schema }: ToolDeclaration) {
  return {
    type: "function",
    name: toFunctionName(name),
    ...(description && { description }),
    parameters: sentSchema(input_schema),
  };
}

/** The members that a call may change, for comparison with what was told before. */
export function toldOf(instructions: string, { tools }: Pick<ModelRequest, "tools">): string {
  return JSON.stringify([instructions, tools]);
}

/** The members of a response that a call wants otherwise than the session. */
export function responseOf({ tool_choice, options = {} }: ModelRequest): Record<string, unknown> {
  const asked = options.tool_choice;
  const name = tool_choice ?? (typeof asked === "object" ? asked.name : undefined);
  const choice = name === undefined ? asked : { type: "function", name: toFunctionName(name) };
  const max_tokens = options.parameters?.max_tokens;
  return {
    ...(choice !== undefined && { tool_choice: choice }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
  };
}
