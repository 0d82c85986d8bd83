// A reply whose requests are counted, over models that are played.
import type { Model, ModelChunk, ModelRequest } from "../../agent/ports.ts";
import { modelError } from "../../agent/state/model-error.ts";
import type { ContextSettings } from "../../protocol/context/contract.ts";
import { AssistantMsg, UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { functionTools } from "./function-tools.ts";
import { keepContext } from "./kept-context.ts";
import { playedModel } from "./played-model.ts";
import { runScript } from "./run-script.ts";

const FIELDS = Object.fromEntries(
  [
    "task_overview",
    "current_state",
    "important_discoveries",
    "next_steps",
    "context_to_preserve",
  ].map((name) => [name, `all about ${name}`]),
);
export const SUMMARY_USAGE = {
  input_tokens: 70,
  output_tokens: 7,
  cache_input_tokens: 60,
  cache_creation_input_tokens: 0,
};
const SUMMARY: readonly ModelChunk[] = [{ text: JSON.stringify(FIELDS) }, { usage: SUMMARY_USAGE }];

export function history(messages: number, size: number): readonly Msg[] {
  return Array.from({ length: messages }, (_, index) =>
    index % 2 === 0
      ? UserMsg("user", `${index} ${"x".repeat(size)}`, { id: `u${index}` })
      : AssistantMsg("agent", `${index} ${"y".repeat(size)}`, { id: `a${index}` }),
  );
}

/** Keeps what it is asked. */
function heard(model: Model): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: model.name,
    requests,
    stream(request, stop) {
      requests.push(request);
      return model.stream(request, stop);
    },
  };
}

export const tokensOf = ({ messages }: ModelRequest): number => JSON.stringify(messages).length / 4;
export const textOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

interface Played {
  readonly calls: readonly (readonly ModelChunk[])[];
  readonly summaries?: readonly (readonly ModelChunk[])[];
  readonly settings?: ContextSettings;
  readonly history?: readonly Msg[];
  readonly window?: number;
  readonly stop?: AbortSignal;
  readonly quota?: Parameters<typeof runScript>[0]["quota"];
}

export async function play({
  calls,
  summaries = [SUMMARY],
  settings = {},
  history: earlier = [],
  window = 4_000,
  ...rest
}: Played) {
  const model = heard(playedModel("talker", ...calls));
  const writer = heard(playedModel("writer", ...summaries));
  const session = keepContext({ settings, window, model: writer });
  const kept = session.next("rep_1", earlier);
  const log = await runScript({
    script: "Hello",
    history: earlier,
    log: kept.log,
    models: [model],
    abilities: [kept.ability],
    context: kept.keeper,
    tools: functionTools({ look: { run: () => "r".repeat(6_000) } }),
    permission: { mode: "bypass", rules: [], working_directories: [] },
    ...rest,
  });
  const custom = log.events.flatMap((event) => (event.type === "CUSTOM" ? [event] : []));
  return { model, writer, log, session, kept, custom };
}

export const SAY: readonly ModelChunk[] = [
  { text: "Hello" },
  {
    usage: {
      input_tokens: 10,
      output_tokens: 2,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  },
];
export const LOOK: readonly ModelChunk[] = [
  { tool_calls: [{ index: 0, name: "look", delta: "{}" }] },
];
export const TOO_LONG: readonly ModelChunk[] = [
  { error: modelError("invalid_request"), context_too_long: true },
];
