// Agents over HTTP wherever an agent replies: as a called agent, in a room, over A2A and AG-UI, aloud, to an end user; and
// beside another tenant whose server hangs.
import { expect, it, onTestFinished } from "vitest";

import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import { messageOf, openA2aAgent, sendA2a } from "../../support/a2a/a2a-desk.ts";
import { calls, says, startAgentServer, streams } from "../../support/agent-server.ts";
import { BROAD } from "../../support/breadth.ts";
import { openServed } from "../../support/open-served.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { CASCADE, openVoiceDesk, REALTIME } from "../../support/voice/voice-desk.ts";
import { waitFor } from "../../support/wait-for.ts";

async function serve(...given: Parameters<typeof startAgentServer>) {
  const server = await startAgentServer(...given);
  onTestFinished(() => server.stop());
  return { server, code_agent: { type: "http", url: server.url, timeout_ms: 30_000 } };
}

it("a called agent's turns are its server's, and its answer is the call's result", async () => {
  const { code_agent } = await serve(() => ({ events: says("I am the helper.") }));
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { name: "Helper", code_agent });
  const tools = [{ type: "agent", name: "helper", agent_id, read_only: true }];
  const path = `/v1/sessions/${await createSession(key, await createAgent(key, { tools }))}`;
  const input = '/call helper {"message":"Hi."}\n/say Thanks.';
  const { id } = (
    await request<Reply>("POST", `${path}/replies`, { key, body: { input, background: true } })
  ).body;
  const ended = await waitFor(async () => {
    const { body } = await request<Reply>("GET", `${path}/replies/${id}`, { key });
    expect(body.status).toBe("completed");
    return body;
  });

  expect(JSON.stringify(ended.message?.content)).toContain("I am the helper.");
});

it("an agent that a server speaks for calls another one by a tool, and has its answer in the next turn", async () => {
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { name: "Helper", tools: [] });
  const { code_agent, server } = await serve(({ message }) =>
    message === null
      ? { events: calls("helper", { message: "/say From the helper." }) }
      : { events: says("Heard.") },
  );
  const tools = [{ type: "agent", name: "helper", agent_id, read_only: true }];
  const caller = await createAgent(key, { tools, code_agent });
  const path = `/v1/sessions/${await createSession(key, caller)}`;
  const body = { input: "Go.", background: true };
  const { id } = (await request<Reply>("POST", `${path}/replies`, { key, body })).body;
  await waitFor(async () => {
    const reply = await request<Reply>("GET", `${path}/replies/${id}`, { key });
    expect(reply.body.status).toBe("completed");
  });

  expect(JSON.stringify(server.asked[1]?.message)).toContain("From the helper.");
});

it("in a room it has its turn, and is told who has spoken", async () => {
  const { code_agent, server } = await serve(() => ({ events: says("I agree.") }));
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { code_agent });
  const participants = [
    { name: "ann", agent_id },
    { name: "Mia", kind: "person", end_user_id: "mia" },
  ];
  const { body: room } = await request<Room>("POST", "/v1/rooms", {
    key,
    body: { participants, turns: { order: "sequential", rounds: 1 } },
  });
  const path = `/v1/rooms/${room.id}/messages`;
  await request("POST", path, { key, body: { content: "What do you think?", participant: "Mia" } });
  const said = await waitFor(async () => {
    const { body } = await request<RoomMessagePage>("GET", path, { key });
    expect(body.data).toHaveLength(2);
    return body.data.map((message) => `${message.name}: ${getTextContent(message)}`);
  });

  expect(said.toSorted()).toEqual(["Mia: What do you think?", "ann: I agree."]);
  expect(JSON.stringify(server.asked[0]?.input)).toContain("What do you think?");
});

it("over A2A its text is the task's", async () => {
  const { code_agent } = await serve(() =>
    streams([...says("Good "), ...says("day."), { next: "end" }]),
  );
  const { id: tenantId, key } = await createTenant();
  const desk = { tenantId, key, ...(await openA2aAgent(key, { code_agent })) };
  const task = await sendA2a(desk, messageOf("Hi."));

  expect(task.status.state).toBe("TASK_STATE_COMPLETED");
  expect(JSON.stringify(task)).toContain("day.");
});

it("every dialect reads its reply", async () => {
  const { say, path, key } = await openServed(() => ({ events: says("Hello.") }));
  await say("Hi.");
  const read = async (format: string) => {
    const response = await openRequest("GET", `${path}/events?after=0&format=${format}`, {
      key,
      headers: { accept: "text/event-stream" },
    });
    return response.text();
  };

  for (const format of ["agentscope", "agentscope-java", "ag-ui"]) {
    expect(await read(format)).toContain("Hello.");
  }
});

it("aloud it is said as it comes; the mode realtime is refused", async () => {
  const { code_agent } = await serve(() =>
    streams([...says("Hello from the server."), { next: "end" }]),
  );
  const desk = await openVoiceDesk(CASCADE, { code_agent });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.speak("Hi.");
  client.send({ type: "commit" });
  await client.event(({ type }) => type === "REPLY_END");
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
  const heard = client.heard();
  await client.close();
  const refused = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
    key: desk.key,
    body: { name: "Aloud", code_agent, voice: REALTIME },
  });

  expect(heard).toMatchObject([{ text: "Hello from the server." }]);
  expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, "#/voice/mode"]);
});

it("an end user's token gets replies of it, and neither its definition nor its address", async () => {
  const { key, path, agentId, server } = await openServed(() => ({ events: says("Hello.") }));
  const { body: made } = await request<{ token: string }>("POST", `${path}/tokens`, {
    key,
    body: { verbs: ["read", "reply"], ttl_seconds: 300 },
  });
  const as = { key: made.token };
  const replied = await request<Reply>("POST", `${path}/replies`, {
    ...as,
    body: { input: "Hi." },
  });
  const agent = await request("GET", `/v1/agents/${agentId}`, as);
  const log = await request("GET", `${path}/events?limit=100`, as);

  expect(replied.body.status).toBe("completed");
  expect([401, 403, 404]).toContain(agent.status);
  expect(JSON.stringify(log.body)).not.toContain(server.url);
});

it("another tenant's ids are unknown: neither its agent nor its credential is taken", async () => {
  const one = await openServed(() => ({ events: says("Mine.") }));
  const { key } = await createTenant();
  const { body: credential } = await request<{ id: string }>("POST", "/v1/credentials", {
    key: one.key,
    body: {
      name: "signing",
      type: "tool",
      secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
      allowed_hosts: [new URL(one.server.url).host],
    },
  });
  const code_agent = { type: "http", url: one.server.url, signing_credential_id: credential.id };
  const stolen = await request("POST", "/v1/agents", { key, body: { name: "Thief", code_agent } });
  const changed = await request("PATCH", `/v1/agents/${one.agentId}`, {
    key,
    body: { code_agent: null },
  });

  expect([stolen.status, changed.status]).toEqual([400, 404]);
});

it("servers that hang hold up nobody else", BROAD, async () => {
  const hanging = await openServed(() => () => new Promise(() => {}));
  const beside = await openServed(() => ({ events: says("Here.") }));
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () => createSession(hanging.key, hanging.agentId)),
  );
  const body = { input: "Go.", background: true };
  await Promise.all(
    sessions.map((id) => request("POST", `/v1/sessions/${id}/replies`, { key: hanging.key, body })),
  );
  await expect.poll(() => hanging.server.asked.length).toBe(8);
  const replies = [];
  for (let count = 0; count < 5; count += 1) replies.push((await beside.say("Hi.")).status);
  const others = await Promise.all(
    sessions.map((id) => request("POST", `/v1/sessions/${id}/interrupt`, { key: hanging.key })),
  );

  expect(replies).toEqual(Array.from({ length: 5 }, () => "completed"));
  expect(others.map(({ status }) => status)).toEqual(sessions.map(() => 200));
});
