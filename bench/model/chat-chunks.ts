// Events of a chat completion as serialised text, in the shape of real providers.

/** One event with this delta. */
export function deltaEvent(delta: object, finishReason: string | null = null): string {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return event({ ...ENVELOPE, usage: null, choices: [choice] });
}

export function usageEvent(completion_tokens: number): string {
  const prompt_tokens = 10;
  return event({
    ...ENVELOPE,
    choices: [],
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });
}

export const DONE_EVENT = "data: [DONE]\n\n";

export type TextKind = "content" | "reasoning_content";

/** The text of an event before and after its token, prepared because hundreds of thousands are written. */
export function textFrame(kind: TextKind): readonly [before: string, after: string] {
  const [before = "", after = ""] = deltaEvent({ [kind]: SPLIT }).split(SPLIT);
  return [before, after];
}

/** The event with an additional field whose length differs from the previous event's. */
export function padEvent(text: string, number: number): string {
  const padding = PADDING.slice((number * PADDING_STEP) % PADDING.length);
  return `${text.slice(0, -END.length)},"obfuscation":"${padding}"${END}`;
}

const PADDING = "Kx7mQ2vZ9aLw";
/** Coprime to the padding's length, so that all lengths occur. */
const PADDING_STEP = 5;
/** End of each event. */
const END = "}\n\n";

const SPLIT = "@";

const ENVELOPE = {
  id: "chatcmpl-Bq9GpXo2uQmUe1cVw7dTz4sK",
  object: "chat.completion.chunk",
  created: 1_790_000_000,
  model: "mock",
  service_tier: "default",
  system_fingerprint: "fp_44709d6fcb",
};

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
