import { AssistantMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StartTarget } from "./start-reply.ts";

/** The message of this id among the inputs of queued replies, or an empty one for a queued reply's own id. */
export function findQueuedMessage(
  { tables, settings }: Pick<StartTarget, "tables" | "settings">,
  id: string,
): { readonly message: Msg; readonly reply_id: string } | null {
  if (tables.queue.find(id)) {
    const message = AssistantMsg({ id, name: settings.init.agent.name, content: [] });
    return { message, reply_id: id };
  }
  return tables.queue.findMessage(id);
}
