// Frames of a person in a room that speaks, of a hostile one.
import { expect, it } from "vitest";

import { MAX_PERSON_ACTS } from "../../../durable-objects/rooms/limits.ts";
import type { OpenRoom } from "../../../durable-objects/rooms/open-room.ts";
import type { Person } from "../../../durable-objects/rooms/person.ts";
import { PersonCredit } from "../../../durable-objects/rooms/person-credit.ts";
import { takePersonFrame, type FrameTaker } from "../../../durable-objects/rooms/person-frames.ts";
import { accept, type Result } from "../../../protocol/errors.ts";

function openFrames({ may_interrupt = true, isInterruptible = false } = {}) {
  const acts: string[] = [];
  const errors: (readonly [string, string | undefined])[] = [];
  const typed: (() => void)[] = [];
  const done: Promise<unknown>[] = [];
  const fail = (code: string, _: string, ref?: string) => errors.push([code, ref]);
  const client = { fail, takesText: () => true };
  const rights = { may_confirm: true, may_give_results: true, may_interrupt };
  const person = { client, rights, credit: new PersonCredit() } as unknown as Person;
  const type = () =>
    new Promise<Result<unknown>>((resolve) => typed.push(() => resolve(accept(null))));
  const interrupt = () => acts.push("interrupt");
  const taker = { type, interrupt, isInterruptible } as unknown as FrameTaker;
  const inBackground = (work: Promise<unknown>) => done.push(work);
  const room = { inBackground } as unknown as OpenRoom;
  const send = (frame: object) => takePersonFrame({ room, taker, person }, JSON.stringify(frame));
  return { send, errors, typed, acts, settled: () => Promise.all(done) };
}

it("are refused by name while so many acts of theirs are under way", async () => {
  const { send, errors, typed, settled } = openFrames();
  for (let count = 0; count < MAX_PERSON_ACTS; count += 1) send({ type: "text", text: "Go." });
  send({ type: "text", text: "Go.", id: "too-many" });
  const refused = [...errors];
  for (const end of typed) end();
  await settled();
  send({ type: "text", text: "Go.", id: "again" });

  expect(refused).toEqual([["rate_limited", "too-many"]]);
  expect([errors.length, typed.length]).toEqual([1, MAX_PERSON_ACTS + 1]);
});

it("give no results with media, whose files nobody would check", async () => {
  const { send, errors, settled } = openFrames();
  const source = { type: "base64", media_type: "image/png", data: "aGk=" };
  const execution_results = [{ id: "call_1", output: [{ type: "data", source }] }];
  send({ type: "external_result", id: "mine", reply_id: "rep_1", execution_results });
  await settled();

  expect(errors).toEqual([["validation_failed", "mine"]]);
});

it.each([
  [true, true, [], 1, ["interrupt"]],
  [false, false, ["verb_missing"], 1, []],
  [false, true, ["verb_missing", "verb_missing"], 0, []],
])(
  "interrupt nobody without the right (right: %s, somebody is heard: %s)",
  (may_interrupt, isInterruptible, codes, words, interrupts) => {
    const { send, errors, typed, acts } = openFrames({ may_interrupt, isInterruptible });
    send({ type: "text", text: "Go.", id: "typed" });
    send({ type: "interrupt", id: "cut" });

    expect(errors.map(([code]) => code)).toEqual(codes);
    expect([typed.length, acts]).toEqual([words, interrupts]);
  },
);
