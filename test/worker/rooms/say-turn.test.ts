// Words of a person whose turn is awaited: they are its answer, unless it has ended meanwhile.
import { expect, test } from "vitest";

import { EMPTY_ROOM, type OpenTurn } from "../../../agent/rooms/room-state.ts";
import type { Actor } from "../../../durable-objects/api/session-api.ts";
import type { OpenRoom } from "../../../durable-objects/rooms/open-room.ts";
import { say } from "../../../durable-objects/rooms/say-turn.ts";
import { accept } from "../../../protocol/errors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";

const USAGE = {
  input_tokens: 14,
  output_tokens: 5,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
  audio: { input_ms: 680, input_tokens: 10 },
};
const MARK = { state: "transcribed", item: "1", ms: 680 };
const TURN = {
  turn_id: "trn_1",
  participant: "Mia",
  kind: "person",
  round: 1,
  ended: null,
  stopping: null,
} as unknown as OpenTurn;

/** @param meanwhile What the turn is when the bytes are admitted. */
async function sayIn(meanwhile: Partial<OpenTurn>) {
  const added: { message: Msg; turn_id: string | null }[] = [];
  const stateOf = (turn: OpenTurn) => ({
    ...EMPTY_ROOM,
    members: [{ name: "Mia", kind: "person", form: null }],
    discussion: { discussion: 1, turns: [turn] },
  });
  let state = stateOf(TURN);
  const room = {
    get state() {
      return state;
    },
    admitBytes: () => {
      state = stateOf({ ...TURN, ...meanwhile });
      return Promise.resolve(accept(null));
    },
    messages: { find: () => null },
    log: {
      lastSeq: 7,
      append: ([event]: { value: (typeof added)[number] }[]) => event && added.push(event.value),
      settled: () => Promise.resolve(),
    },
    kick: () => undefined,
  } as unknown as OpenRoom;
  const actor = { kind: "client_token", id: "tok_1" } as unknown as Actor;
  const message = { id: "msg_1", text: "My answer.", metadata: { speech: MARK }, usage: USAGE };
  const said = await say(room, { participant: "Mia", actor }, { message, on_busy: "queue" });
  return { isSaid: said.ok, added };
}

test.each([
  ["are its answer", {}, "trn_1", "trn_1"],
  ["are a message when it has ended meanwhile", { ended: "timeout" }, "msg_1", null],
  [
    "are a message when it is ended meanwhile",
    { stopping: { reason: "interrupted", at_ms: 1 } },
    "msg_1",
    null,
  ],
] as const)("they %s, with the mark and the usage of speech", async (_, meanwhile, id, turn) => {
  const { isSaid, added } = await sayIn(meanwhile);

  expect(isSaid).toBe(true);
  expect(added).toMatchObject([
    {
      turn_id: turn,
      message: { id, name: "Mia", metadata: { speech: MARK }, usage: USAGE },
    },
  ]);
});
