// A conversation that is longer than a client takes in one frame.
import { describe, expect, it } from "vitest";

import { MAX_SHOWN_CHARACTERS } from "../../../protocol/ag-ui/limits.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";

/** More is an error for the protocol's client: the stream ends. */
const CLIENT_LIMIT = 10 * 1024 * 1024;
const THIRD = "a".repeat(MAX_SHOWN_CHARACTERS / 3);

function said(id: string, text = THIRD): object {
  const message = { id, role: "user", name: "user", content: [{ type: "text", text, id: "b" }] };
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };
const TEXT = [
  { type: "TEXT_BLOCK_START", block_id: "blk_1" },
  { type: "TEXT_BLOCK_DELTA", block_id: "blk_1", delta: "Hello" },
];

interface Held {
  readonly messages?: readonly { readonly id: string }[];
}

/** The ids of the messages that an event brings. */
function idsOf(event: object | undefined): string[] {
  expect(JSON.stringify(event).length).toBeLessThan(CLIENT_LIMIT);
  const { messages, input } = event as Held & { readonly input?: Held };
  return (messages ?? input?.messages ?? []).map(({ id }) => id);
}

describe("a conversation that is too long for one frame", () => {
  it("begins a run with the newest of what was said before it", () => {
    const log = agUiLog(said("m1"), said("m2"), said("m3"), said("m4", "Hello"), START);
    const translator = sessionTranslator(log);
    const [started] = log.flatMap((event) => translator.push(event));

    expect(idsOf(started?.event)).toEqual(["m2", "m3", "m4"]);
  });

  it("is shown to a reader that joins from the newest messages that fit", () => {
    const log = agUiLog(START, ...TEXT, END, said("m1"), said("m2"), said("m3", "Hello"));
    const translator = sessionTranslator(log);
    for (const event of log) translator.push(event);
    expect(idsOf(translator.join()[1])).toEqual(["blk_1", "m1", "m2", "m3"]);
    const more = agUiLog(START, ...TEXT, END, said("m1"), said("m2"), said("m3"));
    const longer = sessionTranslator(more);
    for (const event of more) longer.push(event);

    expect(idsOf(longer.join()[1])).toEqual(["blk_1", "m2", "m3"]);
  });

  it("has its last message in any case", () => {
    const log = agUiLog(said("m1"), said("m2", THIRD + THIRD + THIRD), START);
    const translator = sessionTranslator(log);
    const [started] = log.flatMap((event) => translator.push(event));

    expect(idsOf(started?.event)).toEqual(["m2"]);
    const after = agUiLog(START, END, said("m1"), said("m2", THIRD + THIRD + THIRD));
    const joined = sessionTranslator(after);
    for (const event of after) joined.push(event);
    expect(idsOf(joined.join()[1])).toEqual(["m2"]);
  });
});
