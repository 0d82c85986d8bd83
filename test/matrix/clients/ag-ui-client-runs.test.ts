// The real client of AG-UI against the running platform: what every run has to be. C<n> are the checks that such a
// client lets one make, by the numbers of the list that the platform was built against.
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { agUiBody, inCallOrder } from "../../support/ag-ui-client.ts";
import { request } from "../../support/platform-client.ts";
import { clientSayings, heldBy, openThreadDesk, play, storedSayings } from "./thread-desk.ts";
import { releasedClient } from "./released-clients.ts";
import { startToolServer } from "../../support/tool-server.ts";
import { readFrames } from "./watched-agent.ts";

expectNoWarnings();

const released = releasedClient();
const desk = await openThreadDesk({ shared_state: { enabled: true } });

/** Of all that a run can say, each thing once; it ends with an interrupt. */
const EVERYTHING = [
  "/think Let me see, wörd by wörd.",
  "/sign c2lnbmF0dXJl",
  "/say I look both of them up. 👋",
  '/call lookup_order {"order_id":"A-1001"}',
  '/call lookup_order {"order_id":"A-1002"}',
  "/hint Mind the gap.",
  '/call update_shared_state {"patch":[{"op":"add","path":"/found","value":["A-1001"]}]}',
  "/data image/png iVBORw0KGgo=",
  "/say A refund, then.",
  '/call refund_order {"order_id":"A-1001"}',
  "/say All of it is done.",
].join("\n");

/** Three runs of one thread: everything up to a question, its answer, and one more message. */
async function tellEverything(query = "") {
  const client = desk.client();
  client.agent.url += query;
  const asked = await client.say(EVERYTHING);
  const answered = await client.answerAll({ approved: true });
  const last = await client.say("/say Thanks for waiting.");
  return { client, runs: [asked, answered, last] as const };
}

describe("a run of the real client", () => {
  it("C1: a plain reply resolves, and is exactly its events under the client's ids", async () => {
    const client = desk.client({ threadId: "a cart, 7" });

    const { types, frames, events } = await client.say("/say Hello.", { runId: "run 1" });

    expect(types).toEqual([
      "RUN_STARTED",
      "STEP_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "STEP_FINISHED",
      "RUN_FINISHED",
    ]);
    const ids = { threadId: "a cart, 7", runId: "run 1" };
    expect(events[0]).toMatchObject({ ...ids, ...released.sent });
    expect(events.at(-1)).toMatchObject({ ...ids, outcome: { type: "success" } });
    expect(frames).toHaveLength(events.length);
    expect(client.agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "/say Hello."],
      ["assistant", "Hello."],
    ]);
  });

  it.each(["", "?raw=true"])(
    "C2: the client's compatibility layer has nothing to say of runs that hold everything%s",
    async (query) => {
      const warn = vi.spyOn(console, "warn");

      const { runs } = await tellEverything(query);

      expect(warn.mock.calls).toEqual([]);
      expect(new Set(runs.flatMap(({ types }) => types))).toEqual(
        new Set([
          "RUN_STARTED",
          "STEP_STARTED",
          "REASONING_START",
          "REASONING_MESSAGE_START",
          "REASONING_MESSAGE_CONTENT",
          "REASONING_MESSAGE_END",
          "REASONING_ENCRYPTED_VALUE",
          "REASONING_END",
          "TEXT_MESSAGE_START",
          "TEXT_MESSAGE_CONTENT",
          "TEXT_MESSAGE_END",
          "TOOL_CALL_START",
          "TOOL_CALL_ARGS",
          "TOOL_CALL_END",
          "TOOL_CALL_RESULT",
          "ACTIVITY_SNAPSHOT",
          "STATE_DELTA",
          "STATE_SNAPSHOT",
          // Of these runs only the one that is interrupted has one, and in 0.0 none.
          ...(released.profile === "1.0" ? ["MESSAGES_SNAPSHOT"] : []),
          "CUSTOM",
          "STEP_FINISHED",
          "RUN_FINISHED",
          ...(query === "" ? [] : ["RAW"]),
        ]),
      );
    },
  );

  it("C3: what the client has built is what the platform has stored", async () => {
    const client = desk.client();
    await client.say(
      '/think Hm.\n/say Both.\n/call lookup_order {"order_id":"A-1001"}\n/call lookup_order {"order_id":"A-1002"}\n/think So.\n/say Found.',
    );
    await client.say("Refund A-1003, please.");
    await client.answerAll({ approved: true });
    while (client.agent.pendingInterrupts.length > 0) await client.answerAll("RETURN-7741");

    const sayings = clientSayings(client.agent.messages);

    expect(sayings.length).toBeGreaterThan(12);
    expect(sayings).toEqual(await storedSayings(desk.key, client.sessionId));
    const joined = await desk.join(client.agent.threadId);
    expect(inCallOrder(client.agent.messages)).toEqual(inCallOrder(joined.messages));
  });

  it("C3: what was said since the last run comes with the next one, as in a replay, and once", async () => {
    const client = desk.client();
    await client.say("/say One.");
    const path = `/v1/sessions/${client.sessionId}/observe`;
    const body = { messages: "Overheard." };
    expect(await request("POST", path, { key: desk.key, body })).toMatchObject({ status: 201 });
    const { frames } = await client.say("/say Two.");

    const replayed = readFrames(await desk.replay(client.sessionId));
    expect(frames).toEqual(replayed.slice(-frames.length));
    expect(client.agent.messages.map(({ content }) => content)).toEqual([
      "/say One.",
      "One.",
      "/say Two.",
      "Overheard.",
      "Two.",
    ]);
  });

  it("C4: every frame is taken by the protocol's schemas as it is", async () => {
    const { runs } = await tellEverything("?raw=true");

    const events = runs.flatMap(({ frames }) => frames.map(({ event }) => event));
    expect(events.map((event) => released.parse(event))).toEqual(events);
  });

  it("C5: every frame is LF, an id that only grows, and JSON", async () => {
    const client = desk.client();
    await client.say(EVERYTHING);
    const asked = client.received;
    await client.answerAll({ approved: false });
    const text = asked + client.received;

    expect(text).not.toContain("\r");
    const blocks = text.split("\n\n").filter((block) => block.includes("data:"));
    const places = blocks.map((block) => {
      const [id = "", type = "", data = "", ...more] = block.split("\n");
      expect(more).toEqual([]);
      const { type: named } = JSON.parse(data.slice("data: ".length)) as { type: string };
      expect(type).toBe(`event: ${named}`);
      return id.replace("id: ", "").split(".").map(Number) as [number, number];
    });
    expect(places).toEqual(places.toSorted(([a, b], [c, d]) => a - c || b - d));
    expect(new Set(places.map(String)).size).toBe(places.length);
  });

  it("C7: thoughts are messages of their own, with their proof, and come back without effect", async () => {
    const client = desk.client();
    const first = await client.say("/think Hm.\n/sign cHJvb2Y=\n/say One.\n/think Aha.\n/say Two.");
    const thoughts = client.agent.messages.filter(({ role }) => role === "reasoning");
    const sent = structuredClone(client.agent.messages);

    await client.say("/say Three.");

    const starts = first.frames.filter(({ event }) => event.type === "REASONING_MESSAGE_START");
    expect(starts.map(({ event }) => event["role"])).toEqual(["reasoning", "reasoning"]);
    expect(thoughts).toMatchObject([
      { content: "Hm.", encryptedValue: "cHJvb2Y=" },
      { content: "Aha." },
    ]);
    const ids = client.agent.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(client.agent.messages.slice(0, sent.length)).toEqual(sent);
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Three." });
    expect((await desk.join(client.agent.threadId)).messages).toEqual(client.agent.messages);
  });

  it("C16: the whole thread, run after run in one stream, is taken and gives the same", async () => {
    const { client, runs } = await tellEverything();
    const text = await desk.replay(client.sessionId);

    const held = await play(text);

    expect(readFrames(text)).toEqual(runs.flatMap(({ frames }) => frames));
    const { messages, ...rest } = heldBy(client.agent);
    expect(held).toMatchObject(rest);
    expect(inCallOrder(held.messages)).toEqual(inCallOrder(messages));
  });

  it("C17: the events that the client makes shorter give the same", async () => {
    const { client } = await tellEverything();
    const events = readFrames(await desk.replay(client.sessionId)).map(({ event }) => event);

    const short = released.compactEvents(structuredClone(events) as never);

    expect(short.length).toBeLessThan(events.length);
    const held = await play(agUiBody(short));
    expect(held).toEqual(await play(agUiBody(events)));
    expect(inCallOrder(held.messages)).toEqual(inCallOrder(client.agent.messages));
  });

  it("C19: heartbeats in the middle of a run do not disturb it", async () => {
    const heartbeat = Promise.withResolvers<void>();
    const tools = await startToolServer({
      "/slow": async (response) => {
        await heartbeat.promise;
        response.writeHead(200, { "content-type": "text/plain" });
        response.end("at last");
      },
    });
    onTestFinished(() => tools.stop());
    const slow = { type: "http", name: "slow", url: `${tools.url}/slow`, read_only: true };
    const slowDesk = await openThreadDesk({ tools: [slow] });
    const client = slowDesk.client();
    const look = setInterval(() => {
      if (client.received.includes(": heartbeat\n\n")) heartbeat.resolve();
    }, 20);
    onTestFinished(() => clearInterval(look));

    const { types, end } = await client.say("/call slow {}\n/say Done.");

    expect(client.received).toContain(": heartbeat\n\n");
    expect(types).toContain("TOOL_CALL_RESULT");
    expect(end).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Done." });
  });
});
