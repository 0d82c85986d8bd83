// The examples of AgentScope's pages "Message & Event", the older one, the newer one and that for Java: each as its reader
// would write it here, against the running platform.
import { beforeAll, describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg as StoredMsg } from "../../../protocol/messages/messages.ts";
import { AssistantMsg, Msg, SystemMsg, UserMsg } from "../../../sdk/message/index.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

/** A picture of one pixel: the documents' "..." is no base64. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WEATHER = "The weather in Beijing is sunny, with a temperature of 25°C.";
/** Scripts of the embedded model: the documents' agent at work. */
const FIX_THE_BUG = [
  "/think I should invoke a tool to search for the weather.",
  "/say Let me search the weather in Beijing.",
  '/call weather_search {"city": "Beijing"}',
  "/say It is sunny.",
].join("\n");

let key: string;
let agent: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  const tools = await startToolServer({
    "/weather": answer(JSON.stringify({ output: WEATHER })),
  });
  agent = await createAgent(key, {
    name: "Friday",
    tools: [{ type: "http", name: "weather_search", url: `${tools.url}/weather`, read_only: true }],
  });
  return () => tools.stop();
});

const openSession = async () => `/v1/sessions/${await createSession(key, agent)}`;

/** `agent.reply_stream(input)`: the reply's events as they come, in one of the formats. */
async function replyStream<Event = LoggedEvent>(
  path: string,
  input: unknown,
  format = "agentscope",
): Promise<readonly Event[]> {
  const response = await openRequest("POST", `${path}/replies?format=${format}`, {
    key,
    body: { input, stream: true },
  });
  return (await readSse(response)).map(({ data }) => JSON.parse(data) as Event);
}

async function messagesOf(path: string): Promise<readonly StoredMsg[]> {
  return (await request<{ data: StoredMsg[] }>("GET", `${path}/messages`, { key })).body.data;
}

describe("Create Messages", () => {
  it("a user's text is stored as it was made", async () => {
    const path = await openSession();
    const user_msg = new UserMsg("user", "What's in this image?");
    await replyStream(path, user_msg);
    const [stored] = await messagesOf(path);

    expect(stored).toMatchObject({
      id: user_msg.id,
      name: "user",
      role: "user",
      content: [{ type: "text", text: "What's in this image?", id: expect.any(String) }],
    });
  });

  it("a system's text is the agent's prompt: as a message it is refused", async () => {
    const system_msg = new SystemMsg("system", "You are an AI assistant named Friday.");
    const path = await openSession();
    const refused = await request("POST", `${path}/replies`, { key, body: { input: system_msg } });
    const agentId = await createAgent(key, { system_prompt: system_msg.getTextContent() });
    const { body } = await request("GET", `/v1/agents/${agentId}`, { key });

    expect([refused.status, refused.body["code"]]).toEqual([400, "validation_failed"]);
    expect(body["system_prompt"]).toBe("You are an AI assistant named Friday.");
  });

  it("a multimodal message keeps its text and its picture, in order", async () => {
    const path = await openSession();
    const source = { type: "base64", data: PNG, media_type: "image/png" } as const;
    const content = [
      { type: "text", text: "Describe this image:" },
      { type: "data", source },
    ] as const;
    await replyStream(path, new UserMsg("user", [...content]));
    const [stored] = await messagesOf(path);

    expect(stored?.content).toMatchObject([
      { type: "text", text: "Describe this image:" },
      { type: "data", source: { media_type: "image/png" } },
    ]);
  });

  it("an assistant's message with thinking, a call and its result is carried into a session, and is what a reply makes", async () => {
    const assistant_msg = new AssistantMsg("Friday", [
      { type: "thinking", thinking: "I should invoke a tool to search for the weather." },
      { type: "text", text: "Let me search the weather in Beijing." },
      {
        type: "tool_call",
        id: "tool_call_1",
        name: "weather_search",
        input: '{"city": "Beijing"}',
        state: "finished",
      },
      {
        type: "tool_result",
        id: "tool_call_1",
        name: "weather_search",
        output: WEATHER,
        state: "success",
      },
    ]);
    const [carried, replied] = [await openSession(), await openSession()];
    const imported = await request("PUT", `${carried}/state`, {
      key,
      body: { context: [new UserMsg("user", "How is the weather?"), assistant_msg] },
    });
    await replyStream(replied, FIX_THE_BUG);
    const [, there] = await messagesOf(carried);
    const [, made] = await messagesOf(replied);
    const shapeOf = (msg?: StoredMsg) =>
      msg?.content.slice(0, 3).map((block) => {
        if (block.type === "thinking") return block.thinking;
        if (block.type === "text") return block.text;
        return block.type === "tool_call" ? [block.name, block.input, block.state] : block.type;
      });

    expect(imported.status).toBe(200);
    expect(there).toMatchObject({ id: assistant_msg.id, role: "assistant", name: "Friday" });
    expect(there?.content.map(({ type }) => type)).toEqual([
      "thinking",
      "text",
      "tool_call",
      "tool_result",
    ]);
    expect(shapeOf(made)).toEqual(shapeOf(there));
  });
});

describe("Access Content", () => {
  it("gives the text, the calls, and whether there are results", async () => {
    const path = await openSession();
    await replyStream(path, FIX_THE_BUG);
    const [, stored] = await messagesOf(path);
    const msg = new Msg(stored!);

    expect(msg.getTextContent()).toBe("Let me search the weather in Beijing.\nIt is sunny.");
    expect(msg.getContentBlocks("tool_call").map(({ name }) => name)).toEqual(["weather_search"]);
    expect([msg.hasContentBlocks("tool_result"), msg.hasContentBlocks("data")]).toEqual([
      true,
      false,
    ]);
    expect(msg.getFirstContentBlock("thinking")).toMatchObject({ type: "thinking" });
  });
});

describe("Event Lifecycle", () => {
  it("is a start, deltas and an end of each block, between the start and the end of one reply", async () => {
    const events = await replyStream(await openSession(), FIX_THE_BUG);
    const steps = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);

    expect(new Set(events.map((event) => "reply_id" in event && event.reply_id)).size).toBe(1);
    expect(steps).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_DELTA",
      "THINKING_BLOCK_END",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "TOOL_CALL_START",
      "TOOL_CALL_DELTA",
      "TOOL_CALL_END",
      "MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
  });
});

describe("Reconstruct Messages from Events", () => {
  it("append_event makes the stored message of the events alone, also in the front end's words", async () => {
    const path = await openSession();
    let msg: Msg | null = null;
    for (const event of await replyStream(path, FIX_THE_BUG)) {
      if (event.type === "REPLY_START") {
        msg = new AssistantMsg({
          name: event.name,
          content: [],
          id: event.reply_id,
          created_at: event.created_at,
        });
      }
      msg?.appendEvent(event);
    }
    const [, stored] = await messagesOf(path);

    expect(JSON.parse(JSON.stringify(msg))).toEqual(stored);
  });
});

describe("Example: Streaming UI", () => {
  it("prints the text, the calls, their ends and the end, and has the complete reply", async () => {
    let printed = "";
    let msg: Msg | null = null;
    for (const event of await replyStream(await openSession(), new UserMsg("user", FIX_THE_BUG))) {
      if (event.type === "REPLY_START") {
        msg = new AssistantMsg({ name: event.name, content: [], id: event.reply_id });
      } else if (event.type === "TEXT_BLOCK_DELTA") printed += event.delta;
      else if (event.type === "TOOL_CALL_START")
        printed += `\n[Calling ${event.tool_call_name}...]`;
      else if (event.type === "TOOL_RESULT_END") printed += `\n[Tool finished: ${event.state}]\n`;
      else if (event.type === "REPLY_END") printed += "\n[Done]";
      msg?.appendEvent(event);
    }

    expect(printed).toBe(
      "Let me search the weather in Beijing.\n[Calling weather_search...]\n[Tool finished: success]\nIt is sunny.\n[Done]",
    );
    expect(msg?.finished_at).toEqual(expect.any(String));
  });

  it("prints the same of the events for Java, whose names they have", async () => {
    interface JavaEvent {
      readonly type: string;
      readonly [member: string]: unknown;
    }
    let printed = "";
    let accumulated = "";
    const path = await openSession();
    for (const event of await replyStream<JavaEvent>(path, FIX_THE_BUG, "agentscope-java")) {
      if (event.type === "AGENT_START") printed += `[start ${typeof event["replyId"]}]`;
      else if (event.type === "TEXT_BLOCK_DELTA") accumulated += String(event["delta"]);
      else if (event.type === "TOOL_CALL_START")
        printed += `[calling ${String(event["toolCallName"])}...]`;
      else if (event.type === "TOOL_RESULT_END")
        printed += `[tool finished: ${String(event["state"])}]`;
      else if (event.type === "AGENT_END") printed += "[done]";
    }

    expect(printed).toBe("[start string][calling weather_search...][tool finished: SUCCESS][done]");
    expect(accumulated).toBe("Let me search the weather in Beijing.It is sunny.");
  });
});
