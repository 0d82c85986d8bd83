// Hooks in words: their points, and what one did, by its event in the log.
import type { HookDefinition } from "../../../sdk/index.ts";

type Point = HookDefinition["point"];

/** When a hook of the point is asked, in the order of a reply; the last ones are for functions of the deployment. */
export const POINT_WORDS: Readonly<Record<Point, string>> = {
  pre_reply: "before a reply",
  pre_reasoning: "before a model call",
  pre_model_call: "before a request to a model",
  post_reasoning: "after a model call",
  pre_acting: "before a tool call",
  post_acting: "after a tool call",
  pre_print: "before a text is shown",
  post_print: "after a text was shown",
  post_reply: "after a reply",
  pre_observe: "before a message is added",
  post_observe: "after a message was added",
  on_reply: "around a reply",
  on_reasoning: "around a turn’s model call",
  on_acting: "around a tool call",
  on_model_call: "around each request to a model",
  on_check_permission: "around a permission check",
  on_compress_context: "around a compression",
  on_system_prompt: "on the system prompt",
  plan_to_hint: "for the hint about the plan",
};

/** The points at which an address can be asked. */
export const HTTP_POINTS = (Object.keys(POINT_WORDS) as Point[]).filter(
  (point) => !point.startsWith("on_") && point !== "plan_to_hint",
);
export const ALL_POINTS = Object.keys(POINT_WORDS) as Point[];

const OUTCOMES: Readonly<Record<string, string>> = {
  unchanged: "changed nothing",
  changed: "made a change",
  blocked: "blocked",
  asked: "has a person asked",
  stopped: "stopped the reply",
  failed: "failed",
};

/**
 * Effect of a hook, as a sentence without its end: `Hook guard blocked before a tool call: too much`.
 *
 * @param value Of a `hook_answered` event; the log may be of a newer platform.
 */
export function wordsOfHook(value: unknown): string {
  const answered = isObject(value) ? value : {};
  const { outcome, failure, change, reason, text } = answered;
  const [hook, point] = [textOf(answered["hook"]), textOf(answered["point"])];
  const what =
    outcome === "changed" && isObject(change)
      ? changeWords(change)
      : (OUTCOMES[textOf(outcome)] ?? textOf(outcome).replaceAll("_", " "));
  const when = isPoint(point) ? POINT_WORDS[point] : point;
  const why = isObject(failure) ? failureWords(failure) : textOf(reason ?? text ?? "");
  return `Hook ${hook} ${what} ${when}${why === "" ? "" : `: ${why}`}`;
}

function isPoint(point: string): point is Point {
  return Object.hasOwn(POINT_WORDS, point);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "?");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function failureWords({ kind, on_failure }: Readonly<Record<string, unknown>>): string {
  const rest = on_failure === "open" ? "the reply goes on" : "the reply ends with an error";
  return `${textOf(kind).replaceAll("_", " ")}, ${rest}`;
}

const CHANGES: Readonly<Record<string, string>> = {
  messages: "changed what the model is shown",
  tool_choice: "changed the choice of tools",
  tool_input: "changed the call’s input",
  blocks: "changed the answer’s text",
  text: "changed the text",
};

function changeWords(change: Readonly<Record<string, unknown>>): string {
  const [member] = Object.keys(change);
  return (member !== undefined && CHANGES[member]) || "made a change";
}
