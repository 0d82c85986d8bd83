import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { TriggerDefinition } from "../../protocol/triggers/contract.ts";
import { messageIdOf, type Run } from "./run-rows.ts";

/** The message with which a run begins: its input, untrusted where a payload is in it that nobody vouches for. */
export function messageOf(
  { name, returns_untrusted }: Pick<TriggerDefinition, "name" | "returns_untrusted">,
  run: Pick<Run, "id" | "subject">,
): InputMessage {
  const { input, is_untrusted } = run.subject ?? { input: "", is_untrusted: false };
  const source = { tool_name: `trigger:${name}`, tool_call_id: run.id };
  return {
    id: messageIdOf(run),
    name: "user",
    role: "user",
    content: typeof input === "string" ? input : [...input],
    metadata: is_untrusted && returns_untrusted ? { untrusted: source } : {},
  };
}
