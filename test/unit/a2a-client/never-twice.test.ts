// Failures of a message that was sent: whether the agent may have taken it, so that nobody sends it again.
import { expect, onTestFinished, test } from "vitest";

import { NoRoom } from "../../../outgoing/with-room.ts";
import { startLyingAgent } from "../../support/a2a-remote/lying-agent.ts";
import { openClient } from "../../support/a2a-remote/open-client.ts";

const MESSAGE = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Go" }] } as const;

async function mayHaveArrived(client: ReturnType<typeof openClient>): Promise<boolean | null> {
  const { signal } = new AbortController();
  for await (const read of client.send(MESSAGE, { signal })) {
    if (!read.ok) return read.failure.mayHaveArrived;
  }
  return null;
}

function coded(message: string, code: string): Error {
  return Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error(message), { code }),
  });
}

test.each([
  [coded("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"), false],
  [coded("getaddrinfo ENOTFOUND agent.example", "ENOTFOUND"), false],
  [coded("certificate has expired", "CERT_HAS_EXPIRED"), false],
  [new NoRoom("outgoing"), false],
  [coded("Headers Timeout Error", "UND_ERR_HEADERS_TIMEOUT"), true],
  [coded("other side closed", "UND_ERR_SOCKET"), true],
  [new Error("Network connection lost."), true],
  [new Error("internal error; reference = 0a1b"), true],
])("after %s a message may have arrived: %s", async (error, expected) => {
  const agent = await startLyingAgent(() => undefined);
  onTestFinished(() => agent.stop());
  const client = openClient(agent.card, { outgoing: () => Promise.reject(error) });

  expect(await mayHaveArrived(client)).toBe(expected);
});

test.each([
  [-32_603, true],
  [-32_006, true],
  ["broken", true],
  [-32_602, false],
  [-32_001, false],
])("after an answer with the error %s a message may have arrived: %s", async (code, expected) => {
  const agent = await startLyingAgent(({ raw, id }) => {
    const error = { code, message: "No." };
    raw(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id, error }));
  });
  onTestFinished(() => agent.stop());

  expect(await mayHaveArrived(openClient(agent.card))).toBe(expected);
});
