// An ear of one of several connections keeps a short while of what is not heard yet.
import { expect, it } from "vitest";

import { EAR_MS, LEAST_FRAME_MS } from "../../../agent/voice/limits.ts";
import { ConnectionEar } from "../../../durable-objects/voice/connection-ear.ts";
import { ServerTurnsSchema } from "../../../protocol/voice/contract.ts";

it.each([0, 2])("keeps as many pieces as that while has, of %i bytes each", (bytes) => {
  const turns = ServerTurnsSchema.parse({ type: "server_vad" });
  const ear = new ConnectionEar(turns, 16_000);
  const most = (EAR_MS + turns.prefix_padding_ms) / LEAST_FRAME_MS;
  for (let piece = 0; piece < 2 * most; piece += 1) {
    ear.keep({ pcm: new Uint8Array(bytes), ms: bytes / 32 });
  }

  expect(ear.take()).toHaveLength(most);
});
