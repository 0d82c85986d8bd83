// Hooks that are deployed with the Worker: functions before and after a step, and middleware around it.
import type { HookRequest, HookResponse } from "../../agent/hooks/hook-runner.ts";
import { withDoubles } from "../../agent/exact-number.ts";
import type { HookMiddleware } from "../../agent/hooks/middleware.ts";
import type { EventPrinter } from "../../agent/hooks/printed-log.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import type { HookAnswerSchema } from "../../protocol/hooks/contract.ts";
import type { HookPoint, MiddlewarePoint } from "../../protocol/hooks/events.ts";
import type * as z from "zod";
import { checkAnswer } from "./run-http-hook.ts";

/** The value that a function may return: nothing means that nothing changes. */
type CodeAnswer = z.input<typeof HookAnswerSchema> | undefined | void;

export interface CodeHookCall extends Omit<HookRequest, "hook"> {
  /** Aborted when the answer is no longer awaited. */
  readonly signal: AbortSignal;
}

type HookFunction = (call: CodeHookCall) => CodeAnswer | Promise<CodeAnswer>;

/**
 * A member for each point that the function serves. `pre_print` sees every event before it is logged; the others are
 * asked and logged as HTTP hooks are, with the same answers.
 */
export interface CodeHook
  extends HookMiddleware, Partial<Readonly<Record<Exclude<HookPoint, "pre_print">, HookFunction>>> {
  readonly name: string;
  readonly pre_print?: EventPrinter;
}

export function servesPoint(hook: CodeHook, point: HookPoint | MiddlewarePoint): boolean {
  return typeof hook[point] === "function";
}

/**
 * Contract: never rejects. A function cannot be stopped from outside: after its time, or `stop`, its signal is aborted
 * and its answer is ignored.
 */
export async function runCodeHook(
  deployed: CodeHook | undefined,
  { hook: definition, ...call }: HookRequest,
  stop: StopSignal,
): Promise<HookResponse> {
  const { point } = call;
  const run = point === "pre_print" ? undefined : deployed?.[point];
  if (!run) return { ok: false, kind: "not_found" };
  const controller = new AbortController();
  const late = Promise.withResolvers<HookResponse>();
  const end = (): void => late.resolve({ ok: false, kind: "timeout" });
  const timer = setTimeout(end, definition.timeout_ms);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  try {
    const { tool_call } = call.input;
    // A function computes with numbers: it gets their doubles, and the digits of those that it keeps stay.
    const input = tool_call
      ? { ...call.input, tool_call: { ...tool_call, input: withDoubles(tool_call.input) } }
      : call.input;
    const shown = { ...call, input, signal: controller.signal };
    const answer = Promise.resolve(run.call(deployed, shown));
    // A late rejection is ignored.
    answer.catch(() => undefined);
    return await Promise.race([answer.then((value) => checkAnswer(value ?? null)), late.promise]);
  } catch (error) {
    console.error("a code hook failed", { hook: nameOf(definition), error });
    return { ok: false, kind: "exception" };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
    controller.abort();
  }
}

function nameOf({ name, point }: HookDefinition): string {
  return `${name} at ${point}`;
}
