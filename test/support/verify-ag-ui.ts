// The order of events as the protocol's client checks it, without what it makes of them.
import { HttpAgent, verifyEvents } from "@ag-ui/client";

/** Rejects where the order is violated. @param events Each valid for the protocol's schemas. */
export async function verifyAgUi(events: readonly object[]): Promise<void> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const agent = new HttpAgent({
    url: "http://client.invalid/",
    fetch: async () => new Response(body),
  });
  const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [] };
  let seen = 0;
  await new Promise<void>((resolve, reject) => {
    agent
      .run(input)
      .pipe(verifyEvents())
      .subscribe({ next: () => (seen += 1), error: reject, complete: resolve });
  });
  if (seen !== events.length) throw new Error(`${seen} of ${events.length} events arrived`);
}
