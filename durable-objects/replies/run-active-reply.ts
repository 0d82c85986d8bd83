// Runs a reply over the ports that `open-reply-ports.ts` opens, and ends it when that fails.
import { FencedError } from "../../agent/ports.ts";
import { closeReply } from "../../agent/state/close-reply.ts";
import { modelError } from "../../agent/state/model-error.ts";
import { traceIdOf } from "../../protocol/trace-context.ts";
import type { ActiveReply } from "./active-reply.ts";
import { openReplyPorts } from "./open-reply-ports.ts";
import type { ReplyExecutionContext } from "./reply-execution.ts";
import { runAgent } from "./run-agent.ts";

/** Runs the reply until it ends, waits or is taken over. Contract: never rejects. */
export async function runActiveReply(
  reply: ActiveReply,
  context: ReplyExecutionContext,
): Promise<void> {
  const { session_id, agent } = context.settings.replyInit;
  const { stop } = reply;
  const { log, run, remark, media, close } = openReplyPorts(reply, context);
  try {
    await runAgent(await run, agent, remark);
    // Not waited for: D1 may be away, and the sweep asks about files that are not confirmed.
    log.settled().then(
      () => media.confirm(log.state.message),
      () => undefined,
    );
  } catch (error) {
    const isOver = log.state.message.finished_reason !== null;
    if (error instanceof FencedError || stop.aborted || isOver) return;
    const trace_id = context.trace && traceIdOf(context.trace);
    console.error("reply failed", { reply_id: reply.id, trace_id, error });
    const failed = { finished_reason: "error", error: modelError("internal") } as const;
    log.append(closeReply(log.state, { session_id, ...failed }));
  } finally {
    close();
  }
}
