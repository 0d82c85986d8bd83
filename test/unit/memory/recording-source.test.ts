// The words of a reply that memories are made of, and everything that is none of them.
import { describe, expect, it } from "vitest";

import { recalledTexts } from "../../../agent/memory/recall-hint.ts";
import { newInput, recallText, recordingSource } from "../../../agent/memory/recording-source.ts";
import { MAX_SOURCE_CHARACTERS } from "../../../protocol/memory/limits.ts";
import { assistant, said, telling, user } from "./memory-messages.ts";

const INVOICE = "The invoice INV-7 of Acme is 1,200 euros, due on Friday.";
const RESULT = {
  type: "tool_result",
  id: "call_1",
  name: "read_mail",
  output: INVOICE,
  state: "success",
};

describe("a recording's source", () => {
  it("is the user's new text and the assistant's, in order", () => {
    const reply = assistant(said("Noted."), said("Ann it is."));

    expect(recordingSource([user("I am Ann."), user("And I like tea.")], reply)).toEqual([
      { role: "user", text: "I am Ann." },
      { role: "user", text: "And I like tea." },
      { role: "assistant", text: "Noted.\nAnn it is." },
    ]);
  });

  it("is none of the hints, thoughts, calls and results of the reply", () => {
    const reply = assistant(
      { type: "hint", hint: "It is Monday.", source: "runtime" },
      { type: "thinking", thinking: "She is a vegetarian, perhaps." },
      { type: "tool_call", id: "call_1", name: "read_mail", input: '{"of":"Ann"}' },
      RESULT,
      said("You have one mail."),
    );

    expect(recordingSource([user("Any mail?")], reply)).toEqual([
      { role: "user", text: "Any mail?" },
      { role: "assistant", text: "You have one mail." },
    ]);
  });

  it("is no result that the assistant repeats word for word, whoever vouches for it", () => {
    const direct = assistant(RESULT, said(INVOICE));
    const quoted = assistant(RESULT, said(`It says: ${INVOICE} Shall I pay?`));

    expect(recordingSource([user("Any mail?")], direct)).toEqual([
      { role: "user", text: "Any mail?" },
    ]);
    expect(recordingSource([user("Any mail?")], quoted)[1]).toEqual({
      role: "assistant",
      text: "It says: […] Shall I pay?",
    });
  });

  it("is no recalled memory that the assistant repeats, while the user may say it again", () => {
    const memory = "The user lives in Lisbon.";
    const hint = telling(
      {
        type: "hint",
        source: "long_term_memory",
        hint: `<long_term_memory>\n- mem_1: ${JSON.stringify(memory)}\n</long_term_memory>`,
      },
      { mem_1: 1 },
    );
    const reply = assistant(hint, said(`${memory} So it rains.`));
    const recalled = recalledTexts(reply);

    expect(recalled).toEqual([{ id: "mem_1", content: memory }]);
    const texts = recalled.map(({ content }) => content);
    expect(recordingSource([user(memory)], reply, texts)).toEqual([
      { role: "user", text: memory },
      { role: "assistant", text: "[…] So it rains." },
    ]);
  });

  it("is nothing where the user has said no word", () => {
    const reply = assistant(said("Hello."));
    const picture = assistant({
      type: "data",
      name: null,
      source: { type: "url", url: "https://x.test/a.png", media_type: "image/png" },
    });

    expect(recordingSource([], reply)).toEqual([]);
    expect(recordingSource([user(" … ")], reply)).toEqual([]);
    expect(recordingSource([{ ...picture, role: "user" }], reply)).toEqual([]);
    expect(recordingSource([{ ...user("A note."), role: "system" }], reply)).toEqual([]);
  });

  it("is bounded, and keeps the beginning and the end of a long text", () => {
    const long = `I am Ann. ${"word ".repeat(20_000)} Call me Annie.`;
    const [first, second] = recordingSource([user(long)], assistant(said("Yes.")));

    expect(first?.text.length).toBeLessThanOrEqual(MAX_SOURCE_CHARACTERS / 2);
    expect(first?.text.startsWith("I am Ann.")).toBe(true);
    expect(first?.text.endsWith("Call me Annie.")).toBe(true);
    expect(second?.text).toBe("Yes.");
  });
});

describe("what is searched with", () => {
  it("is the text of the messages behind the last reply, and no earlier one", () => {
    const history = [user("Old."), assistant(said("Yes.")), user("I am back."), user("Any news?")];

    expect(recallText(history)).toBe("I am back.\nAny news?");
    expect(newInput(history)).toEqual(history.slice(2));
    expect(recallText([assistant(said("Yes."))])).toBe("");
    expect(recallText([])).toBe("");
  });
});
