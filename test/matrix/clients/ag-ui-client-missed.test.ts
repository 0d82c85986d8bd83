// The real client of AG-UI: what became of its calls between two of its runs.
import { describe, expect, it } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { clientSayings, openThreadDesk, storedSayings } from "./thread-desk.ts";
import type { ClientTool, WatchedAgent } from "./watched-agent.ts";

expectNoWarnings();

const desk = await openThreadDesk();

const OPEN_PAGE: ClientTool = { name: "open_page", description: "Opens a page.", parameters: {} };
const TWO = [
  '/call refund_order {"order_id":"A-1001"}',
  '/call print_label {"order_id":"A-1001"}',
  "/say Both.",
].join("\n");

function sayingsById(sayings: Awaited<ReturnType<typeof storedSayings>>) {
  return sayings.toSorted(([, one = ""], [, other = ""]) => (one < other ? -1 : 1));
}

/** All of it, if not in its order: a client puts what it has missed behind what it has. */
async function expectStored({ agent, sessionId }: WatchedAgent): Promise<void> {
  const stored = await storedSayings(desk.key, sessionId);
  expect(sayingsById(clientSayings(agent.messages))).toEqual(sayingsById(stored));
}

describe("a run after which its client has missed something", () => {
  it("C9: has the result of a question that somebody else denied, beside its own answer", async () => {
    const client = desk.client();
    await client.say(TWO);
    const [asked, awaited] = client.agent.pendingInterrupts;
    await desk.answerElsewhere(client.sessionId, {
      type: "USER_CONFIRM_RESULT",
      confirm_results: [{ confirmed: false, tool_call: { id: asked?.toolCallId } }],
    });

    const before = structuredClone(client.agent.messages);
    const run = {
      runId: "run-2",
      resume: [
        { interruptId: asked?.id ?? "", status: "resolved" as const, payload: { approved: false } },
        { interruptId: awaited?.id ?? "", status: "resolved" as const, payload: "RETURN-1001" },
      ],
    };

    const { end } = await client.run(run);
    const forgetful = desk.client({ threadId: client.agent.threadId });
    forgetful.agent.setMessages(before);
    await forgetful.run(run);

    expect(end).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    await expectStored(client);
    expect(forgetful.agent.messages).toEqual(client.agent.messages);
  });

  it("C10: has the end of a call that its user has left by talking on", async () => {
    const client = desk.client();
    await client.say("/call open_page {}\n/say Never said.", { tools: [OPEN_PAGE] });

    const { end } = await client.say("/say Something else.", { tools: [OPEN_PAGE] });

    expect(end).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    await expectStored(client);
  });

  it("C10: is told nothing anew when it has it all", async () => {
    const client = desk.client();
    await client.say("/call open_page {}\n/say Done.", { tools: [OPEN_PAGE] });
    const [toolCallId = ""] = clientSayings(client.agent.messages)
      .filter(([kind]) => kind === "call")
      .map(([, id]) => id);
    client.agent.addMessage({ id: "result", role: "tool", toolCallId, content: "It is open." });

    const { types } = await client.run({ tools: [OPEN_PAGE] });

    expect(types).not.toContain("MESSAGES_SNAPSHOT");
    await expectStored(client);
  });
});
