// The document's custom agent on a server of its own: `reply`, `observe` and `handle_interrupt` of AgentScope's AgentBase. The
// platform asks it for each turn of a reply, signed. Runs against `npm start`, and checks what it finds.
import {
  getTextContent,
  Reprise,
  webhooks,
  type AgentInterrupted,
  type AgentTurn,
  type AgentTurnAnswer,
  type TurnMessage,
} from "@reprise/sdk";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });
const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;

/** A message that somebody else has said, as the platform tells it: the request of a hook at `post_observe`. */
interface Observed {
  readonly point: "post_observe";
  readonly input: { readonly messages?: readonly TurnMessage[] };
}

class MyAgent {
  readonly heard: string[] = [];

  async reply({ turn, input, message }: AgentTurn): Promise<AgentTurnAnswer> {
    const asked = wordsOf(input.at(-1));
    if (asked.startsWith("Wait")) return new Promise(() => undefined);
    // The answer is the model's; the last word is the agent's.
    if (asked.startsWith("/say")) {
      return turn === 1 ? { next: "model" } : say(`So it says: ${wordsOf(message)}`);
    }
    const [result] = (message?.content ?? []).filter(({ type }) => type === "tool_result");
    if (asked.startsWith("Where") && !result) return call("lookup_order", { order_id: "A-1001" });
    return say(result ? "I have looked it up." : `Hello! I have heard ${this.heard.join()}.`);
  }

  observe(message: TurnMessage): void {
    this.heard.push(wordsOf(message));
  }

  handle_interrupt(): AgentTurnAnswer {
    return say("Interrupted.");
  }
}

const friday = new MyAgent();
const server = createServer((request, response) => {
  void answer(request, response).catch(() => response.writeHead(400).end());
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  await run(addressOf(server));
} finally {
  server.closeAllConnections();
  server.close();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const body = Buffer.concat(chunks);
  const asked = await webhooks.unwrap<AgentTurn | AgentInterrupted | Observed>(
    body,
    request.headers,
    secret,
  );
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(await answerTo(asked)));
}

async function answerTo(asked: AgentTurn | AgentInterrupted | Observed): Promise<object> {
  if ("point" in asked) {
    for (const message of asked.input.messages ?? []) friday.observe(message);
    return {};
  }
  return asked.method === "reply" ? friday.reply(asked) : friday.handle_interrupt();
}

async function run(url: string): Promise<void> {
  const { host } = new URL(url);
  const signing = await reprise.credentials.create({
    name: "Friday's signature",
    type: "tool",
    secret,
    allowed_hosts: [host],
  });
  const agent = await reprise.agents.create({
    name: "Friday",
    code_agent: {
      type: "http",
      url,
      signing_credential_id: signing.id,
      observe: true,
      handle_interrupt: true,
    },
    tools: [
      {
        type: "external",
        name: "lookup_order",
        input_schema: { type: "object" },
        read_only: true,
      },
    ],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.observe("the news");
  while (friday.heard.length === 0) await pause();
  check("reply", await session.reply("Hi.").text(), "Hello! I have heard the news.");
  check("a turn of the model", await session.reply("/say 42").text(), "So it says: 42");
  const looked = session.reply("Where is it?", {
    tools: { lookup_order: () => "It is on its way." },
  });
  check("a call", await looked.text(), "I have looked it up.");
  const waiting = session.reply("Wait.").text();
  while ((await session.get()).status !== "running") await pause();
  await session.interrupt();
  check("handle_interrupt", await waiting, "Interrupted.");
}

function say(delta: string): AgentTurnAnswer {
  return { events: [{ type: "TEXT_BLOCK_DELTA", block_id: "words", delta }] };
}

function call(tool_call_name: string, input: object): AgentTurnAnswer {
  const tool_call_id = crypto.randomUUID();
  return {
    events: [
      { type: "TOOL_CALL_START", tool_call_id, tool_call_name },
      { type: "TOOL_CALL_DELTA", tool_call_id, delta: JSON.stringify(input) },
      { type: "TOOL_CALL_END", tool_call_id },
    ],
  };
}

function wordsOf(message: TurnMessage | null | undefined): string {
  return (message && getTextContent({ content: [...message.content] })) ?? "";
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function addressOf(listening: Server): string {
  const address = listening.address();
  if (typeof address !== "object" || !address) throw new StoryFailure("the agent has no port");
  return `http://127.0.0.1:${address.port}`;
}

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new StoryFailure(`${what}: ${text} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
