// Speech of a reply with several model calls, in one sum.
import { expect, test } from "vitest";

import { openVoiceDesk, readMessages } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

test("a message with two model calls has the milliseconds of both, in one sum", async () => {
  const desk = await openVoiceDesk();
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  const text = '/say One moment.\n/call lookup_order {"order_id": "A-1001"}\n/say There it is.';
  client.send({ type: "text", text });
  await client.event(({ type }) => type === "REPLY_END");
  await client.until(() => client.customs("speech_said").length === 2);
  const items = [
    ...new Set(client.frames.flatMap((one) => (one.type === "binary" ? one.item : []))),
  ];
  const said = items.map((item) => Math.round(client.receivedMs(item)));

  expect(client.customs("speech_said").map(({ audio }) => audio)).toEqual([
    { output_ms: said[0] },
    { output_ms: said.reduce((sum, ms) => sum + ms, 0) },
  ]);
  expect((await readMessages(desk)).at(-1)?.usage?.audio).toEqual({
    output_ms: said.reduce((sum, ms) => sum + ms, 0),
  });
  await client.close();
});
