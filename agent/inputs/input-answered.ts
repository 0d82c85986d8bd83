import {
  INPUT_ANSWERED,
  type InputAnsweredValue,
  type InputResponses,
} from "../../protocol/mcp/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** The event with which a call continues that has asked for input. */
export function inputAnswered(
  { message }: { readonly message: Pick<Msg, "id"> },
  tool_call_id: string,
  responses: InputResponses,
): EventDraft {
  const reply_id = message.id;
  const value: InputAnsweredValue = { reply_id, tool_call_id, responses };
  return { type: "CUSTOM", name: INPUT_ANSWERED, reply_id, value: { ...value } };
}
