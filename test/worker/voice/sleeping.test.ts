// A voice connection whose object sleeps while nobody speaks: what it was is in the socket's attachment and in the log.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, openSession } from "../support/api.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

const VOICE = {
  mode: "realtime",
  model: { provider: "scripted" },
  turns: { type: "manual" },
  // While the provider is there, the object stays.
  idle_seconds: 1,
} as const;

async function openVoiceSession(voice: object = {}, agent: object = {}) {
  const model = { provider: "scripted", name: "plain" };
  const definition = { name: "Talker", model, voice: { ...VOICE, ...voice }, ...agent };
  const opened = await openSession(definition);
  const { tenantId, session } = opened;
  const object = () => env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  return { ...opened, object, sleep: () => evictDurableObject(object()) };
}

test("it goes on with the next frame, and no event is lost or doubled", async () => {
  const { path, call, sleep } = await openVoiceSession();
  const socket = await VoiceSocket.open(path, call);
  for (const count of [1, 2, 3]) {
    socket.send({ type: "text", text: `/say Number ${count}.` });
    await socket.until(() => socket.ends() === count);
    await sleep();
  }

  await socket.until(() => socket.heard.length === 3);
  expect(socket.heard).toEqual(["Number 1.", "Number 2.", "Number 3."]);
  expect(socket.seqs).toEqual(socket.seqs.map((_, index) => index + 1));
  socket.leave();
});

test("a reply that waited meanwhile is answered by whoever may, and goes on aloud", async () => {
  const input_schema = { type: "object", properties: {} };
  const tools = [{ type: "external", name: "ask_shop", input_schema }];
  const permission = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };
  const { path, call, sleep } = await openVoiceSession({}, { tools, permission });
  const socket = await VoiceSocket.open(path, call);
  socket.send({ type: "text", text: "/call ask_shop {}\n/say So it is." });
  const asked = () =>
    socket.frames
      .flatMap((frame) => (frame.type === "event" ? [frame.event] : []))
      .find((event) => event.type === "REQUIRE_EXTERNAL_EXECUTION");
  await socket.until(() => asked() !== undefined);
  await sleep();
  const { reply_id = "", tool_calls: [{ id } = { id: "" }] = [] } = asked() ?? {};
  const execution_results = [{ id, output: "on shelf 7" }];
  const json = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results };
  await ask("POST", `${path}/events`, { ...call, json });

  await socket.until(() => socket.ends() === 1);
  await socket.until(() => socket.heard.length === 1);
  expect(socket.heard).toEqual(["So it is."]);
  socket.leave();
});

test("it is closed by the object's alarm when its time is over", async () => {
  const { path, call, sleep, object } = await openVoiceSession({ max_seconds: 60 });
  const socket = await VoiceSocket.open(path, call);
  const timers = () =>
    runInDurableObject(object(), (_, { storage }) =>
      storage.sql.exec("SELECT kind FROM timers WHERE kind = 'voice'").toArray(),
    );
  expect(await timers()).toEqual([{ kind: "voice" }]);
  await sleep();
  advanceClock(61_000);
  await runDurableObjectAlarm(object());

  expect(await socket.closed).toEqual([4408, "connection_expired"]);
  expect(await timers()).toEqual([]);
});

test("one that cannot go on is closed, and its session is as it was", async () => {
  const { path, call, sleep, object } = await openVoiceSession();
  const socket = await VoiceSocket.open(path, call);
  await runInDurableObject(object(), (_, state) => {
    for (const own of state.getWebSockets("voice")) {
      const attachment = own.deserializeAttachment() as { started: object };
      // As another version of the project may have left it.
      own.serializeAttachment({ ...attachment, started: { ...attachment.started, spoken: null } });
    }
  });
  const shown = vi.spyOn(console, "error").mockReturnValue(undefined);
  await sleep();

  expect((await ask("GET", path, call)).status).toBe(200);
  expect(await socket.closed).toEqual([1012, "unavailable"]);
  expect(shown).toHaveBeenCalledTimes(1);
  shown.mockRestore();
});
