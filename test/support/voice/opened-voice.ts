// An open voice model, with what it has told so far in lines that people read.
import type { Model, ModelRequest } from "../../../agent/ports.ts";
import type {
  VoiceConnection,
  VoiceModel,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import { pcmToText } from "../../../model/voice/tones.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { DEFAULT_PREFIX_PADDING_MS, DEFAULT_SILENCE_MS } from "../../../protocol/voice/limits.ts";
import { waitUntil } from "../wait-for.ts";

export interface OpenedVoice {
  readonly connection: VoiceConnection;
  readonly events: readonly VoiceModelEvent[];
  /** Ids are numbered by their first appearance; pieces of one text, or of one audio, are one line at its end. */
  readonly lines: () => readonly string[];
  /** Resolves with the lines when one of them begins so. */
  readonly until: (beginning: string) => Promise<readonly string[]>;
}

export const SERVER_TURNS = {
  type: "server_vad",
  threshold: 0.5,
  prefix_padding_ms: DEFAULT_PREFIX_PADDING_MS,
  silence_duration_ms: DEFAULT_SILENCE_MS,
} as const;

export async function openVoice(
  model: VoiceModel,
  setup: Partial<VoiceSetup> = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<OpenedVoice> {
  const events: VoiceModelEvent[] = [];
  const opened = await model.open(
    {
      instructions: "",
      history: [],
      tools: [],
      voice: "default",
      turns: null,
      rates: model.rates,
      ...setup,
    },
    (event) => events.push(event),
    stop,
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const lines = () => linesOf(events, model.rates.output);
  return {
    connection: opened.connection,
    events,
    lines,
    until: (beginning) =>
      waitUntil(() => {
        const told = lines();
        return told.some((line) => line.startsWith(beginning)) ? told : undefined;
      }),
  };
}

/** The texts and calls of one call of a model: those of a spoken reply. */
export async function askVoice(
  model: Model,
  messages: readonly Msg[],
  {
    stop = new AbortController().signal,
    ...request
  }: Partial<ModelRequest> & {
    readonly stop?: AbortSignal;
  } = {},
): Promise<string[]> {
  const said: string[] = [];
  const calls: string[] = [];
  const asked = { system_prompt: "", tools: [], ...request, messages };
  let text = "";
  for await (const chunk of model.stream(asked, stop)) {
    if (chunk.text) text += chunk.text;
    for (const { index, name = "", delta } of chunk.tool_calls ?? []) {
      calls[index] = `${calls[index] ?? ""}${name}${delta}`;
    }
    if (chunk.error) said.push(`error ${chunk.error.type}`);
    if (chunk.ended_early) said.push(chunk.ended_early);
  }
  return [...(text === "" ? [] : [text]), ...calls, ...said];
}

/** A message that was spoken on the connection, as the session has it. */
export function spokenMessage(ms: number, text = ""): Msg {
  const state = text === "" ? "transcribing" : "transcribed";
  const metadata = { speech: { state, item: "1", ms } };
  return UserMsg("user", [{ type: "text", text }], { metadata });
}

function linesOf(events: readonly VoiceModelEvent[], rate: number): readonly string[] {
  const names = new Map<string, string>();
  const texts = new Map<string, string>();
  const audio = new Map<string, Uint8Array[]>();
  const name = (id: string, kind: string) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const count = [...names.values()].filter((one) => one.startsWith(kind)).length;
    names.set(id, `${kind}${count + 1}`);
    return `${kind}${count + 1}`;
  };
  return events.flatMap((event) => {
    switch (event.type) {
      case "session_created":
        return [];
      case "session_ended":
        return [`ended: ${event.reason}`];
      case "input_started":
        return [`hears ${name(event.item_id, "item")} from ${event.audio_start_ms}`];
      case "input_done":
        return [`heard ${name(event.item_id, "item")} to ${event.audio_end_ms}`];
      case "input_transcription_delta":
        return [];
      case "input_transcription_done":
        return [`transcript of ${name(event.item_id, "item")}: ${event.transcript}`];
      case "response_created":
        return [`response ${name(event.response_id, "r")}`];
      case "response_audio_transcript_delta": {
        const item = name(event.item_id, "item");
        texts.set(item, `${texts.get(item) ?? ""}${event.delta}`);
        return [];
      }
      case "response_audio_delta": {
        const item = name(event.item_id, "item");
        audio.set(item, [...(audio.get(item) ?? []), event.audio]);
        return [];
      }
      case "response_audio_transcript_done": {
        const item = name(event.item_id, "item");
        return [`${item} is the text ${JSON.stringify(texts.get(item) ?? "")}`];
      }
      case "response_audio_done": {
        const item = name(event.item_id, "item");
        const pcm = Buffer.concat(audio.get(item) ?? []);
        return [`${item} sounds like ${JSON.stringify(pcmToText(pcm, rate))}`];
      }
      case "response_tool_use_delta":
        return [];
      case "response_tool_use_done":
        return [`calls ${event.name} ${event.input}`];
      case "response_done":
        return [`${name(event.response_id, "r")} is ${event.status}`];
      case "error": {
        const item = event.item_id === undefined ? "" : ` of ${name(event.item_id, "item")}`;
        return [`error${item} ${event.code}: ${event.message}`];
      }
    }
  });
}
