// The hooks of a reply, and the deployment's middleware around its loop.
import type { RegisteredHook } from "../../agent/hooks/hook-runner.ts";
import type { HookMiddleware } from "../../agent/hooks/middleware.ts";
import type { RegisteredPrinter } from "../../agent/hooks/printed-log.ts";
import { ReplyHooks } from "../../agent/hooks/reply-hooks.ts";
import {
  createHookRunner,
  isHookThere,
  openMiddleware,
  openPrinters,
} from "../../tools/hook-runner.ts";
import type { SessionInit } from "../api/session-api.ts";
import { questionHash } from "../settings/question-hash.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import type { ReplyExecution, ReplyNetwork } from "./reply-execution.ts";

export interface ReplyLayers {
  readonly registered: readonly RegisteredHook[];
  /** Functions that the deployment does not have any more. */
  readonly missing: readonly RegisteredHook[];
  readonly middleware: readonly HookMiddleware[];
  /** Functions that see each event before it is logged. */
  readonly printers: readonly RegisteredPrinter[];
}

/** The hooks and the middleware that session and agent name. */
export function openLayers(init: Pick<SessionInit, "agent" | "hooks">): ReplyLayers {
  const registered = registeredHooks(init);
  const definitions = registered.map(({ definition }) => definition);
  return {
    registered,
    missing: registered.filter(({ definition }) => !isHookThere(definition)),
    middleware: openMiddleware(definitions),
    printers: openPrinters(definitions),
  };
}

/** Whether a function is gone without which nothing may be said. */
export function lacksGuard({ missing }: Pick<ReplyLayers, "missing">): boolean {
  return missing.some(({ definition }) => definition.on_failure === "closed");
}

/** The hooks, as the loop asks them; none where none are registered. */
export function openHooks(
  { registered, missing }: ReplyLayers,
  { context, init, log, stop }: ReplyExecution,
  network: ReplyNetwork,
): ReplyHooks | undefined {
  if (registered.length === 0) return undefined;
  const { session_id, end_user_id } = init;
  return new ReplyHooks({
    hooks: registered,
    missing,
    runner: createHookRunner(network),
    log,
    session_id,
    end_user_id,
    newId: context.newId,
    stop,
    hash: questionHash,
  });
}
