// AgentScope's examples of A2A: an agent of another system is found in each of the document's ways, and a person chats with
// it through a session of the platform. Runs against `npm start` without a key of a model, and checks what it finds.
import { Reprise } from "@reprise/sdk";

import type { CardSource as RemoteAgentCard } from "../../protocol/a2a/remote-agent.ts";
import { connect, StoryFailure } from "../connect.ts";
import { startRegistry } from "./registry.ts";
import { startRemoteAgent } from "./remote-agent.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });
const remote = await startRemoteAgent();
const registry = await startRegistry("my-remote-agent", remote.card);

try {
  // The card made by hand, and the document's three resolvers: by address, from a file, from a registry.
  const inline = await open({ inline: remote.card });
  check("a card made by hand", await say(inline, "Good morning"), "You say: Good morning");
  const wellKnown = await open({ url: remote.url });
  check("a well-known address", await say(wellKnown, "Good morning"), "You say: Good morning");
  const file = await open({ file: "remote-agent" });
  check("a file of the deployment", await say(file, "Good morning"), "You say: Good morning");
  const nacos = await open({ nacos: { server: registry.url, name: "my-remote-agent" } });
  check("a registry", await say(nacos, "Good morning"), "You say: Good morning");

  // The chatbot: a person and the agent take turns, until the person leaves.
  const chat = await open({ url: remote.url });
  const lines = ["Hello Friday", "How are you?", "exit"];
  const answers: string[] = [];
  for (const line of lines) {
    if (line === "exit") break;
    answers.push(await say(chat, line));
  }
  check("the chat begins", answers[0] ?? "", "You say: Hello Friday");
  check("and goes on in its conversation", answers[1] ?? "", "Before, you said: Hello Friday");

  // A fork is another conversation: the agent does not know it.
  const fork = await chat.fork();
  check("a fork begins anew", await say(fork, "Do you know me?"), "Hello!");
} finally {
  await Promise.all([remote.close(), registry.close()]);
}

type Session = Awaited<ReturnType<typeof reprise.sessions.create>>;

async function open(card: RemoteAgentCard): Promise<Session> {
  const model = { provider: "a2a", card } as const;
  const agent = await reprise.agents.create({ name: "Companion", model });
  return reprise.sessions.create({ agent_id: agent.id });
}

async function say(session: Pick<Session, "reply">, text: string): Promise<string> {
  return session.reply(text).text();
}

/** @throws StoryFailure when the value lacks what is expected of it. */
function check(what: string, value: string, expected: string): void {
  if (!value.includes(expected)) throw new StoryFailure(`${what}: ${value}, not ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
