import { MAX_INTERRUPT_REMARK_CHARACTERS } from "../../protocol/replies/limits.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { cutText, splitText } from "../json/split-text.ts";
import type { RemarkLimit } from "../loop/run-remark.ts";
import type { ReplyRun } from "../loop/reply-run.ts";
import { closeReply } from "../state/close-reply.ts";
import { modelError } from "../state/model-error.ts";
import type { CodeAgent } from "./code-agent.ts";

/**
 * Ends an interrupted reply with what the agent in code says about it, in one append. Whatever its code does, the reply
 * ends as interrupted. Contract as that of `runRemark`.
 */
export async function runCodeRemark(
  { log, stop, newId, session_id, end_user_id, hooks }: ReplyRun,
  { signal }: RemarkLimit,
  {
    code,
    agent,
  }: { readonly code: Pick<CodeAgent, "handle_interrupt">; readonly agent: AgentDefinition },
): Promise<void> {
  const { id: reply_id } = log.state.message;
  const message = () => log.state.message;
  const ids = { session_id, reply_id, end_user_id };
  const over = new Promise<null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
    if (signal.aborted) resolve(null);
  });
  let remark_error: ReturnType<typeof modelError> | undefined;
  let text = "";
  try {
    const said = Promise.resolve(code.handle_interrupt?.({ ...ids, agent, message, stop: signal }));
    // A late rejection is ignored.
    said.catch(() => undefined);
    text = cutText((await Promise.race([said, over])) ?? "", MAX_INTERRUPT_REMARK_CHARACTERS);
    if (text !== "" && hooks?.has("pre_print"))
      ({ text } = await hooks.beforePrint("text", text, { stop: signal }));
  } catch {
    remark_error = modelError("internal");
  }
  if (stop.aborted || log.state.message.finished_reason !== null) return;
  const block = { reply_id, block_id: newId("blk") };
  const words: EventDraft[] =
    text === ""
      ? []
      : [
          { type: "TEXT_BLOCK_START", ...block },
          ...splitText(text).map(
            (delta) => ({ type: "TEXT_BLOCK_DELTA", ...block, delta }) as const,
          ),
          { type: "TEXT_BLOCK_END", ...block, text: null },
        ];
  const metadata = remark_error && { remark_error };
  const closing = closeReply(log.state, { session_id, finished_reason: "interrupted", metadata });
  log.append([...words, ...closing]);
  return log.settled();
}
