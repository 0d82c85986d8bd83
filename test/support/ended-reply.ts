import { waitFor } from "./wait-for.ts";

/** Reads a reply until it runs no more: reading alone never waits. @param read Asks for the reply. */
export function endedReply<Reply extends { readonly status: string }>(
  read: () => Promise<Reply>,
): Promise<Reply> {
  return waitFor(async () => {
    const reply = await read();
    if (reply.status === "running") throw new Error("the reply is still running");
    return reply;
  });
}
