// Pictures on a voice connection: files of the session, in the message that follows them.
import { expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { openVoiceDesk, readMessages } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

/** One transparent pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a picture goes with what is said next, as a file of the session", async () => {
  const desk = await openVoiceDesk();
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.send({ type: "image", media_type: "image/png", data: PIXEL });
  const path = `/v1/files?session_id=${desk.sessionId}`;
  const stored = async () =>
    (await request<{ data: readonly { readonly id: string }[] }>("GET", path, desk)).body.data;
  await expect.poll(stored).toHaveLength(1);
  client.speak("/say I see.");
  client.send({ type: "commit" });
  await client.event(({ type }) => type === "REPLY_END");
  const [said, answer] = await readMessages(desk);
  expect(said?.content).toMatchObject([
    { type: "text", text: "/say I see." },
    { type: "data", source: { type: "url", media_type: "image/png" } },
  ]);
  expect(answer?.content).toMatchObject([{ text: "I see." }]);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("what is no base64 of a picture is refused, and the connection stays", async () => {
  const desk = await openVoiceDesk();
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.send({ type: "image", id: "mine", media_type: "text/html", data: PIXEL });
  client.send({ type: "image", id: "empty", media_type: "image/png", data: "" });
  await client.until(() => client.errors.length === 2);
  expect(client.errors).toMatchObject([
    { code: "validation_failed", ref: "mine" },
    { code: "validation_failed", ref: "empty" },
  ]);
  client.send({ type: "text", text: "/say Still here." });
  await client.event(({ type }) => type === "REPLY_END");
  await client.close();
});
