// Sessions that are busy: one whose reply runs, and one whose reply waits for a person.
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession, type Call } from "./api.ts";
import { FAILING_TOOL_URL } from "./failing-tool-url.ts";

/** Input by which a reply goes on until it is interrupted, however long the requests before that take. */
export const ENDLESS = "/rate 20\n/words 20000";

export interface BusySession {
  readonly call: Call;
  readonly place: { readonly session_id: string };
  readonly reply: Reply;
}

/** Each is interrupted when `use` is done with it. */
export async function withBusySessions(
  use: (session: BusySession) => Promise<void>,
): Promise<void> {
  const running = await openSession({ name: "Slow" });
  const tools = [{ type: "http", name: "lookup_order", url: FAILING_TOOL_URL }];
  const waiting = await openSession({ name: "Refund desk", tools });
  for (const { call, path, session } of [running, waiting]) {
    const background = session === running.session;
    const json = { input: background ? ENDLESS : "Where is A-1001?", background };
    const { json: reply } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    await use({ call, place: { session_id: session.id }, reply });
    await ask("POST", `${path}/interrupt`, call);
  }
}
