// Two agents and a person who talk aloud in one room, AgentScope's ChatRoom: both hear the person and each other, and end
// together. Runs against `npm start` with the embedded voice, and checks what it finds.
import { getTextContent, Reprise } from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });

const names = ["Agent1", "Agent2"];
// One model hears and speaks, in place of the agent's own.
const voice = { mode: "realtime", model: { provider: "scripted" } } as const;
const agents = await Promise.all(
  names.map((name) => reprise.agents.create({ name, system_prompt: `You are ${name}.`, voice })),
);
const room = await reprise.rooms.create({
  participants: [
    ...names.map((name, index) => ({ name, agent_id: agents[index]?.id ?? "" })),
    { name: "Mia", kind: "person" },
  ],
  voice: { transcription: { provider: "scripted" } },
});

// Mia's app opens one connection: both agents are started with it.
const talk = await reprise.room(room.id).speak({ participant: "Mia" });
const ready: string[] = [];
const ended: string[] = [];
const speakers = new Map<number, string>();
const heardBytes = new Map<string, number>();
talk.on("agent_ready", ({ participant }) => ready.push(participant));
talk.on("agent_ended", ({ participant, reason }) => ended.push(`${participant} ${reason}`));
talk.on("item", ({ item, participant }) => speakers.set(item, participant));
talk.on("audio", ({ item, pcm }) => {
  const speaker = speakers.get(item) ?? "";
  heardBytes.set(speaker, (heardBytes.get(speaker) ?? 0) + pcm.byteLength);
});
const discussed = new Promise<void>((resolve) => {
  talk.on("event", (event) => {
    if (event.type === "CUSTOM" && event.name === "room_discussion_ended") resolve();
  });
});

// A microphone gives audio to `talk.append`; what is typed is answered aloud as well. The embedded voice plays the lines.
talk.text("Hello everyone!\n/say Hello, I am the first.\n/say /say And I am the second.");
await discussed;
check("both agents were started", ready.toSorted().join(", "), "Agent1, Agent2");
const { data } = await room.messages({ limit: 100 }).page();
const said = data.map((message) => `${message.name}: ${getTextContent(message) ?? ""}`);
check("the first has spoken", said.join("\n"), "Agent1: Hello, I am the first.");
check("the second has heard it", said.at(-1) ?? "", "Agent2: And I am the second.");

talk.stop();
const failure = await talk.closed;
check(
  "all end together",
  `${ended.toSorted().join(", ")}, ${failure === null ? "in order" : failure.message}`,
  "Agent1 stopped, Agent2 stopped, in order",
);
check("both were heard", [...heardBytes.keys()].toSorted().join(", "), "Agent1, Agent2");

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new StoryFailure(`${what}: ${text} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
