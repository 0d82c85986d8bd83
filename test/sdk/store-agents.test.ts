// Agents that a reply has called, in a store: what they say and ask, and answers through the session of their caller.
import { expect, inject, it } from "vitest";

import { connectSession, getTextContent } from "../../sdk/index.ts";
import { BROAD } from "../support/breadth.ts";
import { createAgent } from "../support/platform-client.ts";
import { openDesk, type Desk } from "./desk.ts";
import { isIdle, textOf, watchStore } from "./watch-store.ts";

const PAY = { type: "external", name: "pay" };
const SCRIPT = JSON.stringify({ message: '/say I look.\n/call pay {"eur":5}\n/say Paid.' });
const INPUT = `/call helper ${SCRIPT}\n/say All done.`;

async function openCaller(): Promise<Desk & { readonly helperId: string }> {
  const { apiKey, reprise } = await openDesk();
  const helperId = await createAgent(apiKey, { name: "Order desk", tools: [PAY] });
  const helper = { type: "agent", name: "helper", agent_id: helperId, read_only: true };
  const agentId = await createAgent(apiKey, { tools: [helper] });
  const openSession = () => reprise.sessions.create({ agent_id: agentId });
  return { apiKey, agentId, reprise, openSession, clientOf: () => reprise, helperId };
}

it("a called agent is shown as it works, and what it asks is answered as the reply's own calls", async () => {
  const desk = await openCaller();
  const session = await desk.openSession();
  const { store, until } = watchStore(session);
  await until(isIdle);

  await store.send(INPUT);
  const asked = await until(({ status }) => status === "waiting");
  const [agent] = asked.calledAgents;
  const [call] = agent?.pendingCalls ?? [];
  if (!agent || !call) throw new Error("the agent does not ask");

  expect({ ...agent, message: textOf(agent.message ?? undefined), pendingCalls: [] }).toEqual({
    sessionId: expect.stringMatching(/^ses_/),
    agentId: desk.helperId,
    name: "Order desk",
    parentSessionId: session.id,
    toolCallId: expect.any(String),
    status: "waiting",
    message: "I look.",
    isOmitted: false,
    pendingCalls: [],
  });
  expect(call).toMatchObject({ kind: "permission", input: { eur: 5 }, isAnswering: false });
  expect(asked.pendingCalls).toEqual([]);

  const confirming = store.confirm(call);
  expect(store.getState().calledAgents[0]?.pendingCalls).toMatchObject([{ isAnswering: true }]);
  await confirming;
  const awaited = await until(({ calledAgents }) =>
    calledAgents.some(({ pendingCalls }) => pendingCalls[0]?.kind === "external_result"),
  );
  await store.submitResult(awaited.calledAgents[0]?.pendingCalls ?? [], "Sent.");

  const { calledAgents, messages } = await until(
    (state) => isIdle(state) && state.messages.length === 2,
  );
  expect(
    calledAgents.map(({ status, message }) => [status, message && getTextContent(message)]),
  ).toEqual([["completed", "I look.\nPaid."]]);
  expect(textOf(messages[1])).toBe("All done.");
});

it(
  "a page with a client token that is opened meanwhile shows what was said, and answers",
  BROAD,
  async () => {
    const desk = await openCaller();
    const session = await desk.openSession();
    const first = watchStore(session);
    await first.until(isIdle);
    await first.store.send(INPUT);
    const { calledAgents: shown } = await first.until(({ status }) => status === "waiting");

    const verbs = ["read", "confirm"] as const;
    const { token } = await session.tokens.create({ verbs: [...verbs] });
    const page = connectSession(session.id, { baseUrl: inject("baseUrl"), token });
    const second = watchStore(page);
    const { calledAgents } = await second.until(({ status }) => status === "waiting");

    expect(calledAgents).toEqual(shown);
    await second.store.deny(calledAgents[0]?.pendingCalls ?? [], { reason: "No." });
    const ended = await second.until(isIdle);
    expect(ended.calledAgents.map(({ status }) => status)).toEqual(["completed"]);
  },
);
