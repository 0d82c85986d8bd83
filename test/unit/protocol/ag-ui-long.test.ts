// A conversation that is longer than a client takes in one frame.
import { describe, expect, it } from "vitest";

import { AgUiTranslator } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import { MAX_SHOWN_CHARACTERS } from "../../../protocol/limits/ag-ui.ts";
import { agUiHistory } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";

/** More is an error for the protocol's client: the stream ends. */
const CLIENT_LIMIT = 10 * 1024 * 1024;
const THIRD = "a".repeat(MAX_SHOWN_CHARACTERS / 3);

function said(id: string, text = THIRD): object {
  const message = { id, role: "user", name: "user", content: [{ type: "text", text, id: "b" }] };
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
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
    const translator = new AgUiTranslator(agUiHistory(log));
    const [started] = log.flatMap((event) => translator.push(event));

    expect(idsOf(started?.event)).toEqual(["m2", "m3", "m4"]);
  });

  it("is shown to a reader that joins from the newest messages that fit", () => {
    const log = agUiLog(said("m1"), said("m2"), said("m3"), START, ...TEXT);
    const translator = new AgUiTranslator(agUiHistory(log));
    for (const event of log) translator.push(event);

    expect(idsOf(translator.join()[1])).toEqual(["m2", "m3", "blk_1"]);
  });

  it("has its last message in any case", () => {
    const log = agUiLog(said("m1"), said("m2", THIRD + THIRD + THIRD), START);
    const translator = new AgUiTranslator(agUiHistory(log));
    const [started] = log.flatMap((event) => translator.push(event));

    expect(idsOf(started?.event)).toEqual(["m2"]);
    expect(idsOf(translator.join()[1])).toEqual(["m2"]);
  });
});
