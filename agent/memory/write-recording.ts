// Has a model choose what is to be remembered of a reply: one call, whose answer is read as far as it can be.
import type { ErrorInfo, Usage } from "../../protocol/messages/messages.ts";
import type { ModelAccess } from "../context/ask-model.ts";
import type { ModelRequest, StopSignal } from "../ports.ts";
import { askAside, type UsedAside } from "./ask-aside.ts";
import type { ProposedMemory } from "./choose-memories.ts";
import { readMemories } from "./read-memories.ts";

export type WrittenRecording =
  | (UsedAside & {
      readonly type: "written";
      readonly memories: readonly ProposedMemory[];
      readonly usage: Usage;
    })
  | (UsedAside & { readonly type: "failed"; readonly error: ErrorInfo })
  | { readonly type: "stopped" };

const TOO_LATE: ErrorInfo = {
  type: "upstream",
  message: "The model took too long to choose what is to be remembered.",
};

/** Contract: as {@link askAside}. */
export async function writeRecording(
  request: ModelRequest,
  access: ModelAccess,
  deadline: StopSignal,
): Promise<WrittenRecording> {
  const answer = await askAside(request, access, { deadline, read: readMemories });
  switch (answer.type) {
    case "read": {
      const { memories } = answer.value;
      return { type: "written", memories, ...answer.used, usage: answer.used.usage };
    }
    case "unreadable": {
      const message = `The model's answer names no memories: it ${answer.problem}.`;
      return { type: "failed", error: { type: "upstream", message }, ...answer.used };
    }
    case "late":
      return { type: "failed", error: TOO_LATE, ...answer.used };
    case "failed":
      return { type: "failed", error: answer.error, ...answer.used };
    case "stopped":
      return { type: "stopped" };
    default:
      return answer satisfies never;
  }
}
