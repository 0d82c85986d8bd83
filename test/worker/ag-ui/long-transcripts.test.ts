// Transcripts that are looked up and added in time slices: what else the session is asked for between two slices.
import { expect, it } from "vitest";

import { QUICK_TRANSCRIPT_MESSAGES } from "../../../protocol/ag-ui/limits.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { rowsOf } from "../confirmations/parked.ts";
import { createdSession, listMessages, readReply, stubOf, valueOf } from "../sessions/session.ts";
import { codeOf, said, startRun } from "./runs.ts";

const COUNT = QUICK_TRANSCRIPT_MESSAGES + 200;
const LAST = `m${COUNT}`;
const LONG = {
  messages: [
    ...Array.from({ length: COUNT }, (_, index) => said(`m${index}`, "word")),
    said(LAST, "/say done"),
  ],
};
const IDS = LONG.messages.map(({ id }) => id);

async function userIds(init: SessionInit): Promise<readonly string[]> {
  const { data } = valueOf(await listMessages(init, { limit: 2_000 }));
  return data.filter(({ role }) => role === "user").map(({ id }) => id);
}

it("one that is asked for several times at once is one reply, with each message once", async () => {
  const init = await createdSession();
  const asked = await Promise.all(["r1", "r1", "r2"].map((id) => startRun(init, id, LONG)));
  const started = asked.map(valueOf);

  expect(new Set(started.map(({ reply_id }) => reply_id)).size).toBe(1);
  expect(await rowsOf(init, "SELECT id FROM replies")).toHaveLength(1);
  expect(await userIds(init)).toEqual(IDS);
});

it("one that races with a short one loses nothing, whichever begins", async () => {
  const init = await createdSession();
  const short = { messages: [said("short", "/say short")] };
  const [long, other] = await Promise.all([
    startRun(init, "r1", LONG),
    startRun(init, "r2", short),
  ]);
  const begun = [long, other].find(({ ok }) => ok)!;
  await readReply(init, valueOf(begun).reply_id, 60_000);
  const later = valueOf(await startRun(init, "r1", LONG));
  await readReply(init, later.reply_id, 60_000);

  expect([null, "reply_running"]).toContain(codeOf(long));
  const ids = await userIds(init);
  expect(ids.filter((id) => id !== "short")).toEqual(IDS);
  expect(new Set(ids).size).toBe(ids.length);
});

it("one whose session is deleted meanwhile is not found", async () => {
  const init = await createdSession();
  const asked = startRun(init, "r1", LONG);
  const removed = await stubOf(init).remove();

  expect(removed.ok).toBe(true);
  expect([null, "not_found"]).toContain(codeOf(await asked));
  expect(codeOf(await startRun(init, "r1", LONG))).toBe("not_found");
});
