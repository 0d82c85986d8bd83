// The chapter on sessions of AgentScope's document on agents, step by step: `state_dict` and `load_state_dict` on the same
// agent, then `JSONSession`, which saves sessions to files and loads them. Runs against `npm start` with the embedded model,
// and checks what it finds.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  ApiError,
  getTextContent,
  Reprise,
  type AgentState,
  type TenantSession,
} from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });

// agent = ReActAgent(name="Friday", sys_prompt="You are a helpful assistant.", …): its memory is a session's.
const friday = await reprise.agents.create({
  name: "Friday",
  system_prompt: "You are a helpful assistant.",
});
const agent = await reprise.sessions.create({ agent_id: friday.id });

// Save state before any interaction: initial_state = agent.state_dict()
const initialState = await agent.state();

// ... run the agent ...
await say(agent, "Hello!\n/say I am Friday.");
check("the agent answers", await said(agent), "user: Hello!; Friday: I am Friday.");
const { cursor: afterHello } = await agent.get();

// Restore to the saved state: agent.load_state_dict(initial_state)
await agent.importState(initialState, { replace: true });
check("the saved state is empty", await said(agent), "");
await say(agent, "Who am I?\n/say You have not said it.");
check("and the agent goes on", await said(agent), "user: Who am I?; Friday: You have not said it.");

// The log keeps all, so that the same agent also goes back without a saved state.
await agent.restore(afterHello);
check("a restore finds it again", await said(agent), "user: Hello!; Friday: I am Friday.");

// Of two who write at the same time one is told: a state takes the place of the one that was read.
const { cursor: newest } = await agent.get();
await say(agent, "I am Mia.\n/say Hello, Mia.");
const late = await agent
  .importState(initialState, { replace: true, ifVersion: newest })
  .catch((error: unknown) => error);
check("an older state is refused", ApiError.isInstance(late) ? late.code : "", "version_mismatch");

// session = JSONSession(save_dir="./sessions")
const saveDir = mkdtempSync(join(tmpdir(), "sessions-"));
const fileOf = (sessionId: string): string => join(saveDir, `${sessionId}.json`);

/** `await session.save_session_state(session_id="user_1", agent=agent)`: states by the names of their arguments. */
async function saveSessionState(
  sessionId: string,
  agents: Readonly<Record<string, TenantSession>>,
): Promise<void> {
  const states = Object.entries(agents).map(async ([name, one]) => [name, await one.state()]);
  const saved: unknown = Object.fromEntries(await Promise.all(states));
  writeFileSync(fileOf(sessionId), JSON.stringify(saved));
}

/** `await session.load_session_state(session_id="user_1", agent=agent)`: the names are those of the saving. */
async function loadSessionState(
  sessionId: string,
  agents: Readonly<Record<string, TenantSession>>,
): Promise<void> {
  const text = readFileSync(fileOf(sessionId), "utf8");
  const states = new Map(Object.entries(JSON.parse(text) as Record<string, AgentState>));
  for (const [name, one] of Object.entries(agents)) {
    const state = states.get(name);
    if (!state) throw new StoryFailure(`${sessionId} has no agent ${name}`);
    await one.importState(state, { replace: true });
  }
}

// Saving a session.
await saveSessionState("user_1", { agent });
const whole = await said(agent);
await say(agent, "Forget it.\n/say Done.");

// Loading a session, into the same agent and into another one.
await loadSessionState("user_1", { agent });
check("the loaded session is the saved one", await said(agent), whole);
const other = await reprise.sessions.create({ agent_id: friday.id });
await loadSessionState("user_1", { agent: other });
check("also in another agent", await said(other), whole);

// Several agents are saved and loaded together.
await say(other, "And you?\n/say I am the other Friday.");
await saveSessionState("user_2", { agent, other });
await loadSessionState("user_2", { other: agent, agent: other });
check("two agents change places", await said(other), whole);
const mismatch = await loadSessionState("user_1", { jarvis: other }).catch(String);
check(
  "the names have to be the same",
  String(mismatch),
  "StoryFailure: user_1 has no agent jarvis",
);
rmSync(saveDir, { recursive: true });

async function say(session: TenantSession, text: string): Promise<void> {
  await session.reply(text).text();
}

/** The first line of each message, with its speaker. */
async function said(session: TenantSession): Promise<string> {
  const { data } = await session.messages.list({ limit: 100 }).page();
  const lines = data.map((message) => {
    const [line = ""] = (getTextContent(message) ?? "").split("\n", 1);
    return `${message.name}: ${line}`;
  });
  return lines.join("; ");
}

function check(what: string, text: string, expected: string): void {
  if (text !== expected) throw new StoryFailure(`${what}: ${text} is not: ${expected}`);
  console.log(`✓ ${what}`);
}
