// Puts hook middleware around the ports of a reply.
import { PLAN } from "../../protocol/plans/events.ts";
import type { Plan } from "../../protocol/plans/plan.ts";
import type { Ability } from "../ability.ts";
import type { ReplyState } from "../state/reply-state.ts";
import type { ContextKeeper } from "../context/context-keeper.ts";
import type { Model, ToolRunner } from "../ports.ts";
import type { HookMiddleware } from "./middleware.ts";

export function wrapModel(model: Model, middleware: readonly HookMiddleware[]): Model {
  const layers = middleware.filter(({ on_model_call }) => on_model_call);
  if (layers.length === 0) return model;
  return {
    ...model,
    stream: (request, stop, report) =>
      layers.reduceRight<Model["stream"]>(
        (next, layer) => (given) =>
          layer.on_model_call?.(given, (changed) => next(changed, stop, report)) ??
          next(given, stop, report),
        (given) => model.stream(given, stop, report),
      )(request, stop, report),
  };
}

/** Around what the runner itself runs; tools of abilities are part of the loop. */
export function wrapToolRunner<Runner extends ToolRunner>(
  runner: Runner,
  middleware: readonly HookMiddleware[],
): ToolRunner {
  const layers = middleware.filter(({ on_acting }) => on_acting);
  if (layers.length === 0) return runner;
  return {
    get tools() {
      return runner.tools;
    },
    run: (request, stop, report) =>
      layers.reduceRight(
        (next, layer) => () => layer.on_acting?.(structuredInput(request), next) ?? next(),
        () => runner.run(request, stop, report),
      )(),
  };
}

/** The hint of the agent's plan; one without plans has none. */
export function wrapPlanHint(
  abilities: readonly Ability[],
  middleware: readonly HookMiddleware[],
  plan: () => Plan | null,
): readonly Ability[] {
  const layers = middleware.filter(({ plan_to_hint }) => plan_to_hint);
  if (layers.length === 0) return abilities;
  return abilities.map((ability): Ability => {
    const { name, hint } = ability;
    if (name !== PLAN || !hint) return ability;
    const text = (reply: ReplyState): string | null =>
      layers.reduceRight<() => string | null>(
        (next, layer) => () => (layer.plan_to_hint ? layer.plan_to_hint(plan(), next) : next()),
        () => hint.text(reply),
      )();
    return { ...ability, hint: { ...hint, text } };
  });
}

/** A copy, so that a layer that changes the input in its place changes nothing. */
function structuredInput<Request extends { readonly input: unknown }>(request: Request): Request {
  return { ...request, input: JSON.parse(JSON.stringify(request.input ?? null)) as unknown };
}

export function wrapContextKeeper(
  keeper: ContextKeeper,
  middleware: readonly HookMiddleware[],
): ContextKeeper {
  const layers = middleware.filter(({ on_compress_context }) => on_compress_context);
  if (layers.length === 0) return keeper;
  return {
    ...keeper,
    windowOf: (index) => keeper.windowOf(index),
    earlierCall: () => keeper.earlierCall?.() ?? null,
    compress: (request, stop) =>
      layers.reduceRight(
        (next: (given: typeof request) => ReturnType<ContextKeeper["compress"]>, layer) =>
          (given) =>
            layer.on_compress_context?.(given, next) ?? next(given),
        (given) => keeper.compress(given, stop),
      )(request),
  };
}
