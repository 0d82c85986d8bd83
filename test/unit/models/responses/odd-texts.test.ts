// Texts of the Responses API as others than OpenAI send them: all of them are said, and once.
import { describe, expect, it } from "vitest";

import {
  added,
  completed,
  done,
  DONE_TEXT,
  type Event,
  message,
  named,
  play,
  said,
  textPart,
} from "./stage.ts";

const TEXTS: readonly [string, readonly (Event | string)[]][] = [
  [
    "lemonade-sdk/lemonade#3607: deltas without indexes",
    [
      added({ type: "message", id: "msg_1", content: [] }),
      named("content_part.added", { part: textPart("") }),
      said("All "),
      said("done."),
      named("output_text.done", { text: "All done." }),
      named("content_part.done", { part: textPart("All done.") }),
      done(message("All done.", { id: "msg_1" })),
      completed({ output: [message("All done.", { id: "msg_1" })] }),
    ],
  ],
  [
    "deltas alone without indexes, ids and items",
    [said("All "), said("done."), completed({ output: [message("All done.")] })],
  ],
  [
    "Soju06/codex-lb#284: the whole response alone",
    [completed({ output: [message("All done.")] })],
  ],
  ["output_text.done alone", [named("output_text.done", { text: "All done." }), completed()]],
  [
    "every whole text, and no delta",
    [
      named("output_text.done", { output_index: 0, content_index: 0, text: "All done." }),
      named("content_part.done", {
        output_index: 0,
        content_index: 0,
        part: textPart("All done."),
      }),
      done(message("All done.", { id: "msg_1" }), { output_index: 0 }),
      completed({ output: [message("All done.", { id: "msg_1" })] }),
    ],
  ],
  [
    "content_part.done alone",
    [named("content_part.done", { part: textPart("All done.") }), completed({ output: [] })],
  ],
  ["output_item.done alone", [done(message("All done.")), completed({ output: null })]],
  ["output_item.added alone", [added(message("All done.")), completed()]],
  [
    "a content that is a text",
    [completed({ output: [{ type: "message", content: "All done." }] })],
  ],
  [
    "a delta, and the rest in the whole text",
    [
      said("All ", { output_index: 0, content_index: 0 }),
      named("output_text.done", { output_index: 0, content_index: 0, text: "All done." }),
      completed({ output: [message("All done.")] }),
    ],
  ],
  [
    "a delta without an index, and whole texts with one",
    [
      said("All done."),
      named("output_text.done", { output_index: 0, content_index: 0, text: "All done." }),
      done(message("All done.", { id: "msg_1" }), { output_index: 0 }),
      completed({ output: [message("All done.", { id: "msg_2" })] }),
    ],
  ],
  [
    "BerriAI/litellm#30072: an id of its own in each event",
    [
      added({ type: "message", id: "a", content: [] }, { output_index: 0 }),
      said("All ", { output_index: 0, content_index: 0, item_id: "b" }),
      said("done.", { output_index: 0, content_index: 0, item_id: "c" }),
      named("output_text.done", {
        output_index: 0,
        content_index: 0,
        item_id: "d",
        text: "All done.",
      }),
      done(message("All done.", { id: "e" }), { output_index: 0 }),
      completed({ output: [message("All done.", { id: "f" })] }),
    ],
  ],
  [
    "indexes that are texts",
    [
      added({ type: "message", content: [] }, { output_index: "0" }),
      said("All done.", { output_index: 0, content_index: "0" }),
      named("output_text.done", { output_index: "0", content_index: 0, text: "All done." }),
      completed({ output: [message("All done.")] }),
    ],
  ],
  [
    "two messages without ids and indexes",
    [
      said("All "),
      named("output_text.done", { text: "All " }),
      done(message("All ")),
      said("done."),
      named("output_text.done", { text: "done." }),
      done(message("done.")),
      completed({ output: [message("All "), message("done.")] }),
    ],
  ],
  [
    "two parts without indexes",
    [
      named("output_text.done", { text: "All " }),
      named("content_part.done", { part: textPart("All ") }),
      named("output_text.done", { text: "done." }),
      named("content_part.done", { part: textPart("done.") }),
      done({ type: "message", content: [textPart("All "), textPart("done.")] }),
      completed(),
    ],
  ],
  ["can1357/oh-my-pi#4692: response.done", [said("All done."), named("done", { response: {} })]],
  [
    "moeru-ai/airi#2589: [DONE] behind whole items, and no response.completed",
    [
      said("All done.", { output_index: 0 }),
      done(message("All done."), { output_index: 0 }),
      "[DONE]",
    ],
  ],
  [
    "items and events of later versions",
    [
      added({ type: "web_search_call", id: "ws_1" }, { output_index: 0 }),
      named("web_search_call.searching", { output_index: 0 }),
      done({ type: "web_search_call", id: "ws_1" }, { output_index: 0 }),
      named("later"),
      said("All done.", { output_index: 1 }),
      completed({ output: [{ type: "web_search_call", id: "ws_1" }, message("All done.")] }),
    ],
  ],
  [
    "null in the place of everything else",
    [
      named("created", { response: null }),
      named("output_item.added", { item: null, output_index: null }),
      said("All done.", { output_index: null, content_index: null, item_id: null }),
      named("output_item.done", { item: null }),
      named("completed", { response: { output: [null, message("All done.")], usage: null } }),
    ],
  ],
];

describe("an answer of the Responses API with", () => {
  it.each(TEXTS)("%s, is its text, once", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(DONE_TEXT);
  });

  it("thoughts in whole events alone has each of their parts once", async () => {
    const summary = [{ text: "Hm." }, { text: "Look." }];
    const { chunks } = await play([
      named("reasoning_summary_text.done", { summary_index: 0, text: "Hm." }),
      named("reasoning_summary_text.done", { summary_index: 1, text: "Look." }),
      done({ type: "reasoning", id: "rs_1", summary }),
      said("All done."),
      completed({ output: [{ type: "reasoning", id: "rs_1", summary }, message("All done.")] }),
    ]);

    expect(chunks).toEqual([{ thinking: "Hm.\n\nLook." }, ...DONE_TEXT]);
  });

  it("the text of its thoughts in the item alone has them", async () => {
    const content = [{ type: "reasoning_text", text: "Hm." }];
    const { chunks } = await play([
      completed({ output: [{ type: "reasoning", summary: [], content }, message("All done.")] }),
    ]);

    const thinking_signature = expect.stringContaining("reasoning_text") as string;
    expect(chunks).toEqual([{ thinking: "Hm." }, { thinking_signature }, ...DONE_TEXT]);
  });

  it("no stream at all, but the whole response as JSON, is read", async () => {
    const { chunks } = await play(
      [{ id: "resp_1", object: "response", status: "completed", output: [message("All done.")] }],
      "application/json",
    );

    expect(chunks).toEqual(DONE_TEXT);
  });
});
