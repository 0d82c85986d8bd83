import { unfinishedCalls, type ReplyState } from "./reply-state.ts";

/**
 * The calls that run, or ran when their machine was lost: they have a `TOOL_RESULT_START` and no END. A call that
 * somebody outside was given is not among them: nothing of the platform's runs it.
 */
export function startedCallIds(state: ReplyState): ReadonlySet<string> {
  const running = new Set(
    state.message.content.flatMap((block) =>
      block.type === "tool_result" && block.state === "running" ? [block.id] : [],
    ),
  );
  return new Set(
    unfinishedCalls(state).flatMap(({ id, state: standing }) =>
      running.has(id) && (standing === "pending" || standing === "allowed") ? [id] : [],
    ),
  );
}
