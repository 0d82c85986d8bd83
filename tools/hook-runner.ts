// The hooks of a reply: those over HTTP, and the functions and middleware of this deployment.
import type { CodeAgent } from "../agent/code/code-agent.ts";
import type { HookRunner, ShownMessage } from "../agent/hooks/hook-runner.ts";
import type { HookMiddleware } from "../agent/hooks/middleware.ts";
import type { RegisteredPrinter } from "../agent/hooks/printed-log.ts";
import type { AgentDefinition } from "../protocol/agents/contract.ts";
import type { HookDefinition } from "../protocol/hooks/contract.ts";
import { HOOK_POINTS, MIDDLEWARE_POINTS } from "../protocol/hooks/events.ts";
import { MAX_HOOK_TIMEOUT_MS } from "../protocol/hooks/limits.ts";
import { httpAgentOf } from "./agents/http-agent.ts";
import { findCodeAgent } from "./deployed-agents.ts";
import { DEPLOYED_HOOKS } from "./deployed-hooks.ts";
import { runCodeHook, servesPoint, type CodeHook } from "./hooks/code-hook.ts";
import { runHttpHook, type AskedHook, type HookAccess } from "./hooks/run-http-hook.ts";

export function createHookRunner(access: HookAccess): HookRunner {
  return {
    ask: (request, stop) => {
      const { hook } = request;
      if (hook.type === "http") return runHttpHook(hook, request, access, stop);
      return runCodeHook(findDeployed(hook.name), request, stop);
    },
  };
}

/** The middleware that these hooks name, from the outermost layer on. One that is no longer deployed is left out. */
export function openMiddleware(hooks: readonly HookDefinition[]): readonly HookMiddleware[] {
  return hooks.flatMap(({ name, point, type }) => {
    const isMiddleware = type === "code" && MIDDLEWARE_POINTS.some((one) => one === point);
    const deployed = isMiddleware ? findDeployed(name) : undefined;
    // Middleware of the hook at other points are there when they are named, too.
    return deployed && isMiddleware ? [layerOf(deployed, point)] : [];
  });
}

/** The functions that see each event before it is logged. */
export function openPrinters(hooks: readonly HookDefinition[]): readonly RegisteredPrinter[] {
  return hooks.flatMap(({ name, point, type, on_failure }) => {
    const print = type === "code" && point === "pre_print" && findDeployed(name)?.pre_print;
    return print ? [{ name, on_failure, print }] : [];
  });
}

/** Whether the deployment has a hook of this name at this point. */
export function isHookDeployed({ name, point }: Pick<HookDefinition, "name" | "point">): boolean {
  const deployed = findDeployed(name);
  return deployed !== undefined && servesPoint(deployed, point);
}

/** False for a function that is called at its point, and is not deployed: there is nothing that could fail. */
export function isHookThere({ name, point, type }: HookDefinition): boolean {
  const isAsked = HOOK_POINTS.some((one) => one === point && one !== "pre_print");
  return type === "http" || isAsked || isHookDeployed({ name, point });
}

function findDeployed(name: string): CodeHook | undefined {
  if (name.startsWith(CODE_AGENT)) return observerOf(name.slice(CODE_AGENT.length));
  return DEPLOYED_HOOKS.find((hook) => hook.name === name);
}

/** An agent in code is told of observed messages as a hook is. No hook has a name with a colon. */
const CODE_AGENT = "agent:";

function observerOf(name: string): CodeHook | undefined {
  const agent = findCodeAgent(name);
  return (
    agent?.observe && {
      name: `${CODE_AGENT}${name}`,
      async post_observe({ input: { messages = [] } }) {
        for (const message of messages) await agent.observe?.(toObserved(message));
      },
    }
  );
}

function toObserved(message: ShownMessage): Parameters<NonNullable<CodeAgent["observe"]>>[0] {
  return { ...message, content: [...message.content] };
}

/** The hook by which an agent in code observes; null when it has no `observe`. */
export function observingHook(code_agent: AgentDefinition["code_agent"]): HookDefinition | null {
  const shared = { point: "post_observe", on_failure: "open" } as const;
  const served = httpAgentOf(code_agent);
  if (served) {
    const { type, url, signing_credential_id, secret_headers } = served;
    const timeout_ms = Math.min(served.timeout_ms, MAX_HOOK_TIMEOUT_MS);
    const observing: AskedHook = {
      ...shared,
      type,
      url,
      signing_credential_id,
      secret_headers,
      timeout_ms,
      name: CODE_AGENT,
    };
    return served.observe ? observing : null;
  }
  const deployed = findCodeAgent(code_agent);
  if (!deployed?.observe) return null;
  const name = `${CODE_AGENT}${deployed.name}`;
  return { ...shared, type: "code", name, timeout_ms: MAX_HOOK_TIMEOUT_MS };
}

function layerOf(hook: CodeHook, point: HookDefinition["point"]): HookMiddleware {
  switch (point) {
    case "on_reply":
      return { on_reply: hook.on_reply?.bind(hook) };
    case "on_reasoning":
      return { on_reasoning: hook.on_reasoning?.bind(hook) };
    case "on_acting":
      return { on_acting: hook.on_acting?.bind(hook) };
    case "on_model_call":
      return { on_model_call: hook.on_model_call?.bind(hook) };
    case "on_check_permission":
      return { on_check_permission: hook.on_check_permission?.bind(hook) };
    case "on_compress_context":
      return { on_compress_context: hook.on_compress_context?.bind(hook) };
    case "on_system_prompt":
      return { on_system_prompt: hook.on_system_prompt?.bind(hook) };
    case "plan_to_hint":
      return { plan_to_hint: hook.plan_to_hint?.bind(hook) };
    default:
      return {};
  }
}
