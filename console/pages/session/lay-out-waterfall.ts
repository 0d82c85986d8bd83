// The rows of a reply's waterfall: what happened when, for how long, and what it cost.
import type { ReplyDiagnostics } from "../../../sdk/index.ts";

export interface WaterfallRow {
  readonly key: string;
  readonly kind: "model" | "tool" | "mark";
  readonly label: string;
  readonly outcome: string;
  /** Bars in milliseconds since the reply's first row; a tool that waits has one for each wait. */
  readonly bars: readonly WaterfallBar[];
  readonly startMs: number;
  /** Duration of the row as a whole; null while it runs. */
  readonly durationMs: number | null;
  /** Milliseconds until the model's first output; null when there was none, and for other rows. */
  readonly firstOutputMs: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly costUsd: number | null;
  /** All that is known of it. */
  readonly detail: object;
}

interface WaterfallBar {
  readonly kind: "work" | "permission" | "external_result";
  readonly startMs: number;
  readonly endMs: number;
}

/** A moment of the log that belongs to a reply and has no duration, such as a compression. */
export interface WaterfallMark {
  readonly seq: number;
  readonly label: string;
  readonly at: string;
  readonly detail: object;
}

interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  readonly totalMs: number;
}

/** @param nowMs Where bars end that go on. */
export function layOutWaterfall(
  { model_calls, tool_calls }: ReplyDiagnostics,
  marks: readonly WaterfallMark[],
  nowMs: number,
): Waterfall {
  const starts = [
    ...model_calls.map(({ started_at }) => started_at),
    ...tool_calls.flatMap(({ started_at, waits }) => [
      ...(started_at === null ? [] : [started_at]),
      ...waits.map((wait) => wait.started_at),
    ]),
    ...marks.map(({ at }) => at),
  ].map((at) => Date.parse(at));
  const originMs = Math.min(...starts, nowMs);
  const bar = (kind: WaterfallBar["kind"], at: string, durationMs: number | null): WaterfallBar => {
    const startMs = Date.parse(at) - originMs;
    return { kind, startMs, endMs: durationMs === null ? nowMs - originMs : startMs + durationMs };
  };
  const models = model_calls.map((call): WaterfallRow => {
    const { number, model, outcome, started_at, duration_ms, first_output_ms, usage } = call;
    const work = bar("work", started_at, outcome === "running" ? null : (duration_ms ?? 0));
    return {
      key: `model ${number}`,
      kind: "model",
      label: model,
      outcome,
      bars: [work],
      startMs: work.startMs,
      durationMs: duration_ms,
      firstOutputMs: first_output_ms,
      tokens: usage && { input: usage.input_tokens, output: usage.output_tokens },
      costUsd: call.cost_usd,
      detail: call,
    };
  });
  const tools = tool_calls.map((call): WaterfallRow => {
    const { number, name, outcome, started_at, duration_ms, waits } = call;
    const bars = [
      ...waits.map((wait) => bar(wait.kind, wait.started_at, wait.duration_ms)),
      ...(started_at === null
        ? []
        : [bar("work", started_at, outcome === "running" ? null : (duration_ms ?? 0))]),
    ];
    const startMs = Math.min(...bars.map((one) => one.startMs));
    return {
      key: `tool ${number}`,
      kind: "tool",
      label: name,
      outcome,
      bars,
      startMs: Number.isFinite(startMs) ? startMs : 0,
      durationMs: duration_ms,
      firstOutputMs: null,
      tokens: null,
      costUsd: null,
      detail: call,
    };
  });
  const moments = marks.map(({ seq, label, at, detail }): WaterfallRow => {
    const startMs = Date.parse(at) - originMs;
    return {
      key: `mark ${seq}`,
      kind: "mark",
      label,
      outcome: `event ${seq}`,
      bars: [{ kind: "work", startMs, endMs: startMs }],
      startMs,
      durationMs: null,
      firstOutputMs: null,
      tokens: null,
      costUsd: null,
      detail,
    };
  });
  const rows = [...models, ...tools, ...moments].sort((one, other) => one.startMs - other.startMs);
  const ends = rows.flatMap(({ bars }) => bars.map(({ endMs }) => endMs));
  return { rows, totalMs: Math.max(1, ...ends) };
}

/** `840 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Dollars with as many digits as small amounts need. */
export function formatCost(usd: number): string {
  return `$${usd.toLocaleString(undefined, { maximumSignificantDigits: 3 })}`;
}
