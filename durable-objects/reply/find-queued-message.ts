import { AssistantMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StartTarget } from "./start-reply.ts";

/** A message whose id is taken by the input of a queued reply, or by a queued reply that has no message yet. */
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
