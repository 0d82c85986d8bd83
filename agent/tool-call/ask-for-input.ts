import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Asking, EventLog, ToolChunk } from "../ports.ts";

/** The call waits for input of a person, in the way of one that is run outside: its result has begun. */
export function askForInput(
  call: ToolCallBlock,
  { elicitation, ttl_ms }: Extract<ToolChunk, { type: "ask" }>,
  { log, asking }: { readonly log: EventLog; readonly asking: Asking },
): void {
  const questions = Object.values(elicitation.requests).map(({ message }) => message);
  log.append([
    {
      type: "REQUIRE_EXTERNAL_EXECUTION",
      reply_id: log.state.message.id,
      tool_calls: [{ ...call, state: "submitted" }],
      metadata: {
        expires_at: { [call.id]: asking.expiresAt(ttl_ms) },
        questions: { [call.id]: questions.join("\n\n") },
        elicitations: { [call.id]: elicitation },
      },
    },
  ]);
}
