// The two events of speech: each reader of a log has the words that were said and heard, whenever they came.
import { describe, expect, test } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import { advanceReply, startReplyState } from "../../../agent/state/reply-state.ts";
import { contentCharacters } from "../../../agent/state/characters.ts";
import { A2aTranslator } from "../../../protocol/dialects/a2a/a2a-translator.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import { AG_UI_PROFILES } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import { appendEvent } from "../../../protocol/fold/append-event.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { InputMessageSchema } from "../../../protocol/replies/contract.ts";
import { isUntranscribed, speechOf } from "../../../protocol/voice/events.ts";
import {
  shownMessages,
  takeEvent,
  type ConversationState,
} from "../../../sdk/store/conversation.ts";
import { foldTask } from "../../support/a2a/fold-task.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { messagesOf, sessionTranslator } from "../../support/ag-ui-history.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";
import {
  loggedEvents,
  SPOKEN_LOG,
  SPOKEN_TEXTS,
  spokenMessage,
  transcribed,
  truncated,
} from "../../support/voice/spoken-log.ts";

function textsOf(messages: readonly Msg[]): (readonly [string, string])[] {
  return messages.map(({ id, content }) => [
    id,
    content.map((block) => (block.type === "text" ? block.text : block.type)).join("|"),
  ]);
}

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function folded(message: Msg, ...events: readonly object[]): Msg {
  return loggedEvents(events).reduce(
    (before, event) => appendEvent(deepFreeze(before), event),
    message,
  );
}

describe("the fold", () => {
  test("fills a spoken message once, and says that it has", () => {
    const message = folded(spokenMessage("m1"), transcribed("m1", "Hello."));

    const usage = { ...NO_TOKENS, audio: { input_ms: 1_200 } };
    expect(message).toEqual({ ...spokenMessage("m1", "Hello.", "transcribed"), usage });
    expect(folded(message, transcribed("m1", "Something else."))).toBe(message);
  });

  test("leaves messages that were typed, and those of others", () => {
    const typed: Msg = { ...spokenMessage("m1", "Hi."), metadata: {} };
    const spoken = spokenMessage("m1");

    expect(folded(typed, transcribed("m1", "Hello."))).toBe(typed);
    expect(folded(spoken, transcribed("m2", "Hello."), truncated("m2", "m1_0", "x"))).toBe(spoken);
  });

  test.each([
    [{ message_id: "m1" }],
    [{ message_id: "m1", text: 7 }],
    [{ message_id: null, text: "Hello." }],
    [{ text: "Hello." }],
    [{ message_id: ["m1"], text: "Hello." }],
  ])("ignores a transcript of another shape: %j", (value) => {
    const message = spokenMessage("m1");

    expect(folded(message, { type: "CUSTOM", name: "speech_transcribed", value })).toBe(message);
  });

  test.each([
    [{}],
    [{ speech: null }],
    [{ speech: "transcribing" }],
    [{ speech: { state: "waiting", item: "1", ms: 2 } }],
    [{ speech: { state: "transcribing", item: 1, ms: 2 } }],
    [{ speech: { state: "transcribing", item: "1" } }],
  ])("takes a message with the metadata %j for one that was typed", (metadata) => {
    const message: Msg = { ...spokenMessage("m1"), metadata };

    expect([speechOf(message), isUntranscribed(message)]).toEqual([null, false]);
    expect(folded(message, transcribed("m1", "Hello."))).toBe(message);
  });

  test("leaves of one block what was heard of it, also nothing, whether the reply has ended or not", () => {
    const texts = [
      { type: "text" as const, text: "One. ", id: "b1" },
      { type: "text" as const, text: "Two.", id: "b2" },
    ];
    const message = AssistantMsg({ id: "r1", name: "A", content: texts, created_at: "T" });

    expect(textsOf([folded(message, truncated("r1", "b2", "Tw"))])).toEqual([["r1", "One. |Tw"]]);
    expect(textsOf([folded(message, truncated("r1", "b1", ""))])).toEqual([["r1", "|Two."]]);
    expect(folded(message, truncated("r1", "b3", ""), truncated("r1", "b1", "One. "))).toBe(
      message,
    );
  });
});

test("what was not heard takes no room in the reply", () => {
  const [start, ...events] = SPOKEN_LOG.filter(({ reply_id }) => reply_id === "r1");
  if (start?.type !== "REPLY_START") throw new Error("the reply has no beginning");
  const state = events.reduce(advanceReply, startReplyState(start));

  expect(state.characters).toBe(contentCharacters(state.message));
  expect(state.characters).toBe("Your shoes".length);
});

describe("a model that reads text", () => {
  const answer = AssistantMsg({ id: "r1", name: "A", content: "Yes?", created_at: "T" });

  test("is told of speech that was not transcribed, and of nothing else", () => {
    const context = modelContext(
      [spokenMessage("m1"), spokenMessage("m2", "Stop.", "transcribed")],
      answer,
      [],
    );

    expect(textsOf(context)).toEqual([
      ["m1", "(speech that was not transcribed)"],
      ["m2", "Stop."],
      ["r1", "Yes?"],
    ]);
  });

  test("takes no message of the agent for speech of the user", () => {
    const marked: Msg = { ...answer, metadata: spokenMessage("m1").metadata };

    expect(textsOf(modelContext([marked], answer, []))).toEqual([
      ["r1", "Yes?"],
      ["r1", "Yes?"],
    ]);
  });
});

describe("the conversation of the SDK", () => {
  const nothing: ConversationState = {
    messages: [],
    live: null,
    cursor: 0,
    foldedTo: 0,
    controlledTo: 0,
    replyId: null,
    asked: new Map(),
    progress: new Map(),
    queuedReplyIds: [],
    olderPage: null,
  };

  test("has the words at the end, wherever it was read before", () => {
    for (let cut = 0; cut <= SPOKEN_LOG.length; cut += 1) {
      const messages = messagesOf(SPOKEN_LOG.slice(0, cut));
      const read = { ...nothing, messages, cursor: cut, foldedTo: cut, controlledTo: cut };
      const all = SPOKEN_LOG.reduce<ConversationState>(
        (before, event) => takeEvent(deepFreeze(before), event, null),
        read,
      );

      expect([cut, textsOf(shownMessages(all))]).toEqual([cut, SPOKEN_TEXTS]);
    }
  });

  test("goes on with the reply that runs when an older message is changed", () => {
    const log = loggedEvents([
      ...SPOKEN_LOG.slice(0, -3),
      transcribed("m1", "Not again."),
      truncated("r1", "b1", "Your"),
      { type: "TEXT_BLOCK_DELTA", reply_id: "r2", block_id: "b2", delta: " Yes." },
    ]);
    const all = log.reduce<ConversationState>(
      (before, event) => takeEvent(before, event, null),
      nothing,
    );

    expect(textsOf(shownMessages(all)).slice(1)).toEqual([
      ["r1", "Your"],
      ["m2", "Stop."],
      ["r2", "Of course. Yes."],
    ]);
  });
});

describe("AG-UI", () => {
  for (const profile of AG_UI_PROFILES) {
    test(`${profile} gives its own client the words, wherever it joins`, async () => {
      for (let cut = 0; cut < SPOKEN_LOG.length; cut += 1) {
        const translator = sessionTranslator(SPOKEN_LOG, { profile });
        for (const event of SPOKEN_LOG.slice(0, cut)) translator.push(event);
        const joined = cut < 2 ? [] : translator.join();
        const later = SPOKEN_LOG.slice(cut).flatMap((event) => translator.push(event));
        const events = [...joined, ...later.map(({ event }) => event)];
        await verifyAgUi(events);
        const { messages } = await playAgUi(agUiBody(events));

        const held = messages.map(({ id, content }) => [id, content]);
        expect([cut, held]).toEqual([
          cut,
          messagesOf(SPOKEN_LOG)
            .flatMap(toAgUiMessages)
            .map((message) => [message.id, "content" in message ? message.content : undefined]),
        ]);
      }
    });
  }

  test("tells a change between two runs with the next one, and begins none for it", () => {
    const translator = sessionTranslator(SPOKEN_LOG);
    const types = SPOKEN_LOG.map((event) =>
      translator.push(event).map(({ event: { type } }) => type),
    );
    const names = SPOKEN_LOG.map((event) => (event.type === "CUSTOM" ? event.name : event.type));

    const told = names.flatMap((name, index) =>
      /^speech_|REPLY_START/.test(name) ? [[name, types[index]]] : [],
    );
    expect(told).toEqual([
      ["REPLY_START", ["RUN_STARTED"]],
      ["speech_transcribed", ["CUSTOM", "MESSAGES_SNAPSHOT"]],
      ["speech_truncated", []],
      ["speech_transcribed", []],
      ["REPLY_START", ["RUN_STARTED", "MESSAGES_SNAPSHOT"]],
      ["speech_truncated", ["CUSTOM", "MESSAGES_SNAPSHOT"]],
    ]);
  });
});

test("a task of A2A has what was heard, and what was said of it before is replaced", () => {
  const translator = new A2aTranslator({ task_id: "r2", context_id: "ctx" });
  const begun = translator.task();
  const frames = SPOKEN_LOG.flatMap((event) => translator.push(event));
  const held = frames.reduce((task, { response }) => foldTask(task, response), begun);

  const texts = (held.artifacts ?? []).flatMap(({ parts }) => parts.map((part) => part));
  expect(texts).toEqual([{ text: "" }]);
  expect(translator.task().artifacts ?? []).toEqual([]);
});

test("a message that a client sends is no spoken one, whatever its labels say", () => {
  const sent = (speech: unknown) =>
    InputMessageSchema.parse({ content: "Hello.", metadata: { speech, topic: "shoes" } }).metadata;
  const { speech } = spokenMessage("m1").metadata;

  expect([sent(speech), sent("de")]).toEqual([
    { topic: "shoes" },
    { speech: "de", topic: "shoes" },
  ]);
});
