// The real client of AG-UI: the state that it shares with the agent, and what it tells the agent beside messages.
import { describe, expect, it } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { request } from "../../support/platform-client.ts";
import { releasedClient } from "./released-clients.ts";
import { heldBy, openThreadDesk, play } from "./thread-desk.ts";

expectNoWarnings();

const desk = await openThreadDesk({ shared_state: { enabled: true } });

const update = (...patch: object[]) => `/call update_shared_state ${JSON.stringify({ patch })}`;

async function stateOf(sessionId: string): Promise<unknown> {
  const path = `/v1/sessions/${sessionId}/shared-state`;
  return (await request<{ state: unknown }>("GET", path, { key: desk.key })).body.state;
}

function patchState(sessionId: string, ...patch: object[]) {
  const path = `/v1/sessions/${sessionId}/shared-state`;
  return request("PATCH", path, { key: desk.key, body: patch });
}

describe("the shared state", () => {
  it("C20: is begun by the client, and the agent's changes apply to it", async () => {
    const client = desk.client({ initialState: { cart: ["a", "b"], note: "x/y~z" } });

    const { types, frames } = await client.say(
      [
        update({ op: "add", path: "/cart/-", value: "c" }, { op: "remove", path: "/cart/0" }),
        "/say Half.",
        update({ op: "replace", path: "/note", value: { "a/b": null } }),
        update({ op: "add", path: "/note/a~1b", value: "ü" }),
        "/say Done.",
      ].join("\n"),
    );

    const snapshots = frames.filter(({ event }) => event.type === "STATE_SNAPSHOT");
    expect(types.slice(0, 2)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT"]);
    expect(snapshots.map(({ event }) => event["snapshot"])).toEqual([
      { cart: ["a", "b"], note: "x/y~z" },
    ]);
    expect(frames.filter(({ event }) => event.type === "STATE_DELTA")).toHaveLength(3);
    expect(client.agent.state).toEqual({ cart: ["b", "c"], note: { "a/b": "ü" } });
    expect(await stateOf(client.sessionId)).toEqual(client.agent.state);
    expect((await desk.join(client.agent.threadId)).state).toEqual(client.agent.state);
  });

  it("C20: is changed by the client between two runs, and told to it when others did", async () => {
    const client = desk.client();
    await client.say(`${update({ op: "add", path: "/count", value: 1 })}\n/say One.`);
    client.agent.setState({ count: 2, own: true });
    const second = await client.say("/say Two.");
    const patched = await patchState(client.sessionId, { op: "replace", path: "/count", value: 3 });
    client.agent.setState({ count: 99 });

    const third = await client.say("/say Three.");

    expect(patched.status).toBe(200);
    expect(second.frames[1]?.event).toMatchObject({ snapshot: { count: 2, own: true } });
    expect(third.frames[1]?.event).toMatchObject({ snapshot: { count: 3, own: true } });
    expect(client.agent.state).toEqual({ count: 3, own: true });
    expect(await stateOf(client.sessionId)).toEqual({ count: 3, own: true });
  });

  it("C20: is corrected for a client that has not seen the newest reply", async () => {
    const client = desk.client({ initialState: { count: 1 } });
    await client.say("/say One.");
    const { threadId } = client.agent;
    const stranger = desk.client({ threadId, initialState: { count: 50 } });

    await stranger.say("/say Two.");

    expect(stranger.agent.state).toEqual({ count: 1 });
    expect(await stateOf(client.sessionId)).toEqual({ count: 1 });
  });

  it("C20: is not taken back by a client that was cut off before the reply's last changes", async () => {
    const script = [
      update({ op: "add", path: "/early", value: true }),
      "/say Half.",
      update({ op: "add", path: "/late", value: true }),
      "/say Done.",
    ].join("\n");
    for (const type of ["TOOL_CALL_START", "STATE_DELTA"]) {
      let isCut = true;
      const client = desk.client({
        initialState: { cart: 1 },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          const text = await response.text();
          const shown = isCut ? text.slice(0, text.lastIndexOf(`event: ${type}\n`)) : text;
          isCut = false;
          return new Response(shown.slice(0, shown.lastIndexOf("\n\n") + 2), response);
        },
      });
      client.agent.addMessage({ id: "m-1", role: "user", content: script });
      await client.agent.runAgent();
      const held = structuredClone(client.agent.state) as unknown;

      await client.say("/say Next.");

      expect(held).not.toEqual(client.agent.state);
      expect(client.agent.state).toEqual({ cart: 1, early: true, late: true });
      expect(await stateOf(client.sessionId)).toEqual(client.agent.state);
    }
  });

  it("C20: stands before an interrupt, goes on behind it, and is the same in the whole thread", async () => {
    const client = desk.client({ initialState: { step: 0 } });
    const asked = await client.say(
      [
        update({ op: "replace", path: "/step", value: 1 }),
        "/say And now.",
        '/call refund_order {"order_id":"A-1001"}',
        "/say Refunded.",
        update({ op: "replace", path: "/step", value: 2 }),
        "/say Done.",
      ].join("\n"),
    );
    const parked = structuredClone(client.agent.state) as unknown;
    await client.answerAll({ approved: true });

    const snapshots =
      releasedClient().profile === "1.0"
        ? ["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT"]
        : ["STEP_FINISHED", "STATE_SNAPSHOT"];
    expect(asked.types.slice(-3)).toEqual([...snapshots, "RUN_FINISHED"]);
    expect(parked).toEqual({ step: 1 });
    expect(client.agent.state).toEqual({ step: 2 });
    const replayed = await play(await desk.replay(client.sessionId));
    expect(replayed).toEqual(heldBy(client.agent));
  });

  it("C20: that does not fit the agent's schema is refused in the stream, and nothing is kept", async () => {
    const strict = await openThreadDesk({
      shared_state: {
        enabled: true,
        schema: { type: "object", properties: { count: { type: "integer" } } },
      },
    });
    const client = strict.client({ initialState: { count: "many" } });

    const refused = await client.say("/say One.");
    client.agent.setState({ count: 1 });
    const taken = await client.run();

    expect(refused.types).toEqual(["RUN_STARTED", "RUN_ERROR"]);
    expect(refused.end).toMatchObject({ code: "state_invalid" });
    expect(taken.end).toMatchObject({ outcome: { type: "success" } });
    expect(client.agent.state).toEqual({ count: 1 });
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "One." });
    expect((await strict.join(client.agent.threadId)).messages).toEqual(client.agent.messages);
  });
});

describe("what the client tells the agent", () => {
  it("is a note of the run, once, and no message of the thread's", async () => {
    const client = desk.client();
    const context = [{ description: "The page", value: "Returns" }];

    const { frames } = await client.say('/call lookup_order {"order_id":"A-1001"}\n/say Hi.', {
      context,
    });

    const notes = frames.flatMap(({ event }) =>
      event.type === "ACTIVITY_SNAPSHOT" ? [event["content"]] : [],
    );
    expect(notes).toEqual([
      { hint: expect.stringContaining("Returns"), source: expect.any(String) },
    ]);
    const { frames: second } = await client.say("/say More.", { context });
    expect(second.filter(({ event }) => event.type === "ACTIVITY_SNAPSHOT")).toEqual([]);
    // Notes stay in what the model is sent, so that it is told when one does not hold any more.
    const { frames: third } = await client.say("/say Done.");
    expect(
      third.flatMap(({ event }) => (event.type === "ACTIVITY_SNAPSHOT" ? [event["content"]] : [])),
    ).toEqual([{ hint: expect.stringContaining("any more"), source: "client_context" }]);
  });
});
