// A client of AgentScope's realtime agents whose object sleeps: what it has chosen and was told is in the socket's attachment.
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { RealtimeServerEvent } from "../../../protocol/dialects/realtime/server-events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { openSession, send } from "../support/api.ts";

const VOICE = {
  mode: "realtime",
  model: { provider: "scripted" },
  turns: { type: "manual" },
  // While the provider is there, the object stays.
  idle_seconds: 1,
} as const;
const TOOLS = [
  { type: "external", name: "ask_shop", input_schema: { type: "object", properties: {} } },
];
const PERMISSION = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };

async function connect() {
  const model = { provider: "scripted", name: "plain" };
  const definition = { name: "Talker", model, voice: VOICE, tools: TOOLS, permission: PERMISSION };
  const { tenantId, session, path, call } = await openSession(definition);
  const headers = { Upgrade: "websocket" };
  const address = `${path}/realtime?format=agentscope-realtime`;
  const { webSocket } = await send("GET", address, { ...call, headers });
  if (!webSocket) throw new Error("the session opens no socket");
  const events: RealtimeServerEvent[] = [];
  webSocket.addEventListener("message", ({ data }) => {
    events.push(JSON.parse(String(data)) as RealtimeServerEvent);
  });
  webSocket.accept();
  const of = (type: RealtimeServerEvent["type"]) => events.filter((event) => event.type === type);
  return {
    of,
    sleep: () => evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, session.id))),
    tell: (type: string, members: object = {}) =>
      webSocket.send(JSON.stringify({ type, session_id: session.id, ...members })),
    until: (type: RealtimeServerEvent["type"], count = 1) =>
      waitFor(() => {
        if (of(type).length < count) throw new Error(`${type} is not in ${events.length} events`);
      }),
    leave: () => webSocket.close(1000, "left"),
  };
}

test("it goes on with what the client has chosen, and no response is lost or told twice", async () => {
  const { of, sleep, tell, until, leave } = await connect();
  tell("client_session_create", { config: { audio_event: "response_audio_delta" } });
  for (const count of [1, 2, 3]) {
    tell("client_text_append", { text: `/say Number ${count}.` });
    await until("agent_response_done", count);
    await sleep();
  }
  tell("client_session_create", { config: {} });
  await until("server_session_updated");

  const ids = of("agent_response_created").map(
    (event) => "response_id" in event && event.response_id,
  );
  expect(
    of("agent_response_done").map((event) => "response_id" in event && event.response_id),
  ).toEqual(ids);
  expect([new Set(ids).size, of("agent_response_audio_delta").length]).toEqual([3, 0]);
  expect(of("response_audio_delta").length).toBeGreaterThan(2);
  expect([of("agent_ready").length, of("server_session_created").length]).toEqual([1, 1]);
  leave();
});

test("a result for a call that was told before goes to the reply that waits", async () => {
  const { of, sleep, tell, until, leave } = await connect();
  tell("client_text_append", { text: "/call ask_shop {}\n/say So it is." });
  await until("agent_response_done");
  await sleep();
  const [use] = of("agent_response_tool_use_done");
  const id = use && "tool_use" in use ? use.tool_use.id : "";
  tell("client_tool_result", { id, name: "ask_shop", output: "on shelf 7" });
  await until("agent_response_done", 2);

  expect(of("agent_error")).toEqual([]);
  expect(of("agent_response_tool_result")).toHaveLength(1);
  const said = of("agent_response_audio_transcript_delta");
  expect(said.map((event) => "delta" in event && event.delta).join("")).toBe("So it is.");
  leave();
});
