// The session of several agents as AgentScope's document saves and loads it (`JSONSession`): the states of all agents in one JSON
// file, which is named by the session's id, under their names. Here a room has the agents. Runs against `npm start` with the
// embedded model, and checks what it finds.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { getTextContent, Reprise, type TenantRoom } from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });
const saveDir = mkdtempSync(join(tmpdir(), "sessions-"));
const sessionFile = (sessionId: string): string => join(saveDir, `${sessionId}.json`);

/** `save_session_state(session_id, friday=friday, jarvis=jarvis)`: the room knows its agents by their names. */
async function saveSessionState(sessionId: string, room: TenantRoom): Promise<void> {
  writeFileSync(sessionFile(sessionId), JSON.stringify(await room.state.save()));
}

/** `load_session_state(session_id, friday=friday, jarvis=jarvis)`. */
async function loadSessionState(sessionId: string, room: TenantRoom): Promise<void> {
  const saved = readFileSync(sessionFile(sessionId), "utf8");
  await room.state.load(JSON.parse(saved) as Parameters<TenantRoom["state"]["load"]>[0]);
}

const [friday, jarvis] = await Promise.all(
  ["friday", "jarvis"].map((name) => reprise.agents.create({ name })),
);

/** @param names Those of the agents, which have to be the same when a session is loaded. */
function open(...names: readonly string[]): Promise<TenantRoom> {
  const ids = [friday?.id ?? "", jarvis?.id ?? ""];
  const participants = names.map((name, index) => ({ name, agent_id: ids[index] ?? "" }));
  return reprise.rooms.create({
    participants: [...participants, { name: "user", kind: "person" }],
  });
}

// The state before any interaction, and what becomes of it.
const room = await open("friday", "jarvis");
const initialState = await room.state.save();
await discuss(room, "Hello!\n/say I am Friday.\n/say /say I am Jarvis.");
check("both answer", (await said(room)).join("; "), "friday: I am Friday.; jarvis: I am Jarvis.");
await saveSessionState("user_1", room);

// Another day, another process: the session goes on from its file.
const later = await open("friday", "jarvis");
await loadSessionState("user_1", later);
await discuss(later, "Who are you?\n/say Friday, still.\n/say /say And Jarvis.");
const words = (await said(later)).join("; ");
check("the loaded session has what was said", words, "user: Hello!; friday: I am Friday.");
check("and goes on", words, "friday: Friday, still.; jarvis: And Jarvis.");

// AgentScope's passes over a name that does not fit; here it is an error that says so.
const other = await open("friday", "edith");
const mismatch = await loadSessionState("user_1", other).catch((error: unknown) => error);
check("other names are refused", String(mismatch), "agents of the room");

// `load_state_dict(initial_state)`: back to the beginning, in the same room.
const { cursor } = await room.get();
await room.state.load({ ...initialState } as Parameters<TenantRoom["state"]["load"]>[0], {
  replaceAt: cursor,
});
check("the initial state is empty", String((await said(room)).length), "0");
rmSync(saveDir, { recursive: true });

async function discuss(of: TenantRoom, content: string): Promise<void> {
  for await (const event of of.discuss(content)) void event;
}

/** The first line of each message, with its speaker. */
async function said(of: TenantRoom): Promise<readonly string[]> {
  const { data } = await of.messages({ limit: 100 }).page();
  return data.map((message) => {
    const [line = ""] = (getTextContent(message) ?? "").split("\n", 1);
    return `${message.name}: ${line}`;
  });
}

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new StoryFailure(`${what}: ${text} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
