// An agent that gives a part of its work to another one, whose question a page answers in the caller's session alone. Runs
// against `npm start` with the embedded model, and checks what it finds.
import { connectSession, getTextContent, Reprise } from "@reprise/sdk";
import { SessionStore, type CalledAgent, type SessionState } from "@reprise/sdk/store";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });

// The order desk pays refunds by a system outside, and a person has to allow each of them.
const desk = await reprise.agents.create({
  name: "Order desk",
  tools: [{ type: "external", name: "refund", input_schema: { type: "object" } }],
});
const concierge = await reprise.agents.create({
  name: "Concierge",
  tools: [{ type: "agent", name: "order_desk", agent_id: desk.id, read_only: true }],
});

// The page has a token of the concierge's session. It gets 404 for that of the order desk.
const session = await reprise.sessions.create({ agent_id: concierge.id });
const { token } = await session.tokens.create({
  verbs: ["read", "reply", "confirm", "tool_result"],
});
const store = new SessionStore(connectSession(session.id, { baseUrl, token }));
const leave = store.subscribe(() => undefined);

// `/call` makes the embedded model do so; any other model decides by itself.
const task = '/say I look it up.\n/call refund {"order":"A-1001"}\n/say It is paid.';
await store.send(`/call order_desk ${JSON.stringify({ message: task })}\n/say Your money comes.`);

const asked = await until("asks", ({ status }) => status === "waiting");
const [agent] = asked.calledAgents;
check("the page shows", `${agent?.name}: ${textOf(agent)}`, "Order desk: I look it up.");
check("it asks", `${agent?.pendingCalls[0]?.question}`, "refund");

// One call answers it, as if it were the concierge's own.
await store.confirm(agent?.pendingCalls ?? []);
const allowed = await until("waits for the result", ({ calledAgents }) =>
  calledAgents.some(({ pendingCalls }) => pendingCalls[0]?.kind === "external_result"),
);
await store.submitResult(allowed.calledAgents[0]?.pendingCalls ?? [], "Paid by transfer 4711.");

const done = await until(
  "ends",
  ({ status, messages }) => status === "idle" && messages.length > 1,
);
const [worked] = done.calledAgents;
check(
  "the called agent",
  `${worked?.status}: ${textOf(worked)}`,
  "completed: I look it up.\nIt is paid.",
);
const answer = done.messages.at(-1);
check("the concierge", (answer && getTextContent(answer)) ?? "", "Your money comes.");
leave();

function textOf(called: CalledAgent | undefined): string {
  return (called?.message && getTextContent(called.message)) ?? "";
}

/** The first state of which this is true. */
async function until(
  what: string,
  isReached: (state: SessionState) => boolean,
): Promise<SessionState> {
  for (let left = 100; left > 0; left -= 1) {
    const state = store.getState();
    if (isReached(state)) return state;
    if (state.error) throw state.error;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new StoryFailure(`It was awaited for 20 seconds that the agent ${what}.`);
}

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected)) throw new StoryFailure(`${what} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected.replaceAll("\n", " ")}`);
}
