// Speech of a person while a call waits for its answer: the reply to it is queued, and its words come later.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { textToPcm } from "../../../model/voice/tones.ts";
import { encodeBase64 } from "../../../protocol/base64.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession } from "../support/api.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

const RATE = 16_000;
/** Bytes of 200 milliseconds. */
const FRAME_BYTES = 6_400;

const AGENT = {
  name: "Talker",
  model: { provider: "scripted", name: "plain" },
  voice: {
    mode: "realtime",
    model: { provider: "scripted" },
    turns: { type: "manual" },
    // While the provider is there, the object stays.
    idle_seconds: 1,
  },
  tools: [{ type: "external", name: "ask_shop", input_schema: { type: "object", properties: {} } }],
  permission: { rules: [{ tool_name: "ask_shop", behavior: "allow" }] },
} as const;

function say(socket: VoiceSocket, text: string): void {
  const pcm = textToPcm(text, RATE);
  for (let at = 0; at < pcm.byteLength; at += FRAME_BYTES) {
    socket.send({ type: "audio", audio: encodeBase64(pcm.slice(at, at + FRAME_BYTES)) });
  }
  socket.send({ type: "commit" });
}

test("words that come while their reply is queued are still there when the object has slept", async () => {
  const { tenantId, session, path, call } = await openSession(AGENT);
  const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const queued = () =>
    runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ body: ArrayBuffer }>("SELECT body FROM queued_replies").toArray(),
    );
  const socket = await VoiceSocket.open(path, call, { audio: "base64" });
  socket.send({ type: "text", text: "/call ask_shop {}\n/say So it is." });
  const asked = () =>
    socket.frames
      .flatMap((frame) => (frame.type === "event" ? [frame.event] : []))
      .find((event) => event.type === "REQUIRE_EXTERNAL_EXECUTION");
  await socket.until(() => asked() !== undefined);
  say(socket, "/say Second.");
  await waitFor(async () => {
    const bodies = (await queued()).map(({ body }) => new TextDecoder().decode(body));
    expect(bodies).toEqual([expect.stringContaining('"text":"/say Second."')]);
  });
  await evictDurableObject(object);
  const { reply_id = "", tool_calls: [{ id } = { id: "" }] = [] } = asked() ?? {};
  const execution_results = [{ id, output: "on shelf 7" }];
  const json = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results };
  await ask("POST", `${path}/events`, { ...call, json });
  await socket.until(() => socket.ends() === 2);

  const { json: page } = await ask("GET", `${path}/messages`, call);
  const { data } = page as unknown as {
    data: { role: string; content: object[]; metadata: object }[];
  };
  expect(data.map(({ role, content }) => [role, content.at(-1)])).toMatchObject([
    ["user", { text: "/call ask_shop {}\n/say So it is." }],
    ["assistant", { text: "So it is." }],
    ["user", { text: "/say Second." }],
    ["assistant", { text: "Second." }],
  ]);
  expect(data[2]?.metadata).toMatchObject({ speech: { state: "transcribed" } });
  socket.leave();
});
