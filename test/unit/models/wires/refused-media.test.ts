// A request that a model refuses for its media is made once more without what it has never taken, and the session goes on.
import { describe, expect, it } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import { briefMemory, type MediaMemory } from "../../../../model/media-memory.ts";
import { withoutRefusedMedia } from "../../../../model/without-refused-media.ts";
import { MsgSchema, type Msg } from "../../../../protocol/messages/messages.ts";
import type { EndpointTurn, FakeBody } from "../../../support/fake-endpoint.ts";
import { eventText, startWire, WIRES, type Wire } from "./wires.ts";

type Turn = EndpointTurn<FakeBody>;

/** By who says so, and where that is told. */
const REFUSALS: readonly (readonly [string, number, unknown])[] = [
  ["anthropics/claude-code#1747", 400, said("Could not process image", "invalid_request_error")],
  [
    "anthropics/claude-code#42399",
    400,
    said("messages.11.content.8.image.source.base64.data: Image format image/png not supported"),
  ],
  [
    "anthropics/claude-code#53547, of many images",
    400,
    said("An image exceeds the limit (2000px)"),
  ],
  [
    "esengine/DeepSeek-Reasonix#7136, Mangi-11/Eta#62",
    400,
    said(
      "Failed to deserialize the JSON body into the target type: messages[94]: unknown variant `image_url`, expected `text` at line 1 column 802043",
    ),
  ],
  ["CommandCodeAI/desktop#31", 400, said("Storage limit exceeded for this team")],
  ["earendil-works/pi#401", 413, said("Request exceeds the maximum size", "request_too_large")],
  ["can1357/oh-my-pi#271", 413, "failed to parse request"],
  ["a server that checks the types of parts", 415, said("Unsupported media type")],
  ["FastAPI", 422, { detail: [{ msg: "Input should be 'text'", loc: ["body", "messages"] }] }],
];

/** Refusals that are not about what the request holds. */
const OTHERS: readonly (readonly [string, number, unknown])[] = [
  ["401", 401, said("Incorrect API key provided")],
  ["404", 404, said("The model does not exist")],
  ["429", 429, said("Slow down")],
  ["500", 500, said("Oops")],
  ["a conversation that is too long", 400, said("prompt is too long: 210000 tokens > 200000")],
  ["413 for its tokens", 413, said("prompt is too long: 210000 tokens > 200000")],
];

function said(message: string, type = "invalid_request_error"): object {
  return { type: "error", error: { type, message } };
}

function refuses(status: number, body: unknown): Turn {
  return (response) => {
    response.head(status, { "content-type": "application/json" });
    response.raw(typeof body === "string" ? body : JSON.stringify(body));
    response.end();
  };
}

const picture = (data: string, media_type = "image/png") => ({
  type: "data",
  source: { type: "base64", media_type, data },
});
const user = (...content: readonly object[]) =>
  MsgSchema.parse({ name: "kim", role: "user", content });
const assistant = (...content: readonly object[]) =>
  MsgSchema.parse({ name: "Desk", role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });

const BROKEN = "YnJva2Vu";
const GOOD = "Z29vZHBpYw==";
const LOOK = [user(text("Look"), picture(BROKEN))];

async function open(wire: Wire, turns: readonly Turn[], memory: MediaMemory = briefMemory()) {
  const answers: Turn = (body) => {
    body.raw(eventText([...wire.text("Hi"), ...wire.end(1, 1)]));
    body.end();
  };
  const server = await startWire(wire, ...turns, answers);
  const model = withoutRefusedMedia(wire.model(server.url), memory);
  const failures: FailureReport[] = [];
  const ask = async (messages: readonly Msg[], stop = new AbortController()) => {
    const chunks: ModelChunk[] = [];
    const request = { system_prompt: "", messages, tools: [] };
    for await (const chunk of model.stream(request, stop.signal, (found) => {
      if ("failure" in found) failures.push(found.failure);
    })) {
      chunks.push(chunk);
    }
    return {
      words: chunks.map((chunk) => chunk.text ?? "").join(""),
      error: chunks.at(-1)?.error ?? null,
    };
  };
  const sent = () => server.requests.map(({ text: body }) => body);
  return { ask, sent, failures };
}

describe.each(WIRES)("a picture for a model of $name", (wire) => {
  it.each(REFUSALS)("that it refuses (%s: %i) is a note from then on", async (_, status, body) => {
    const { ask, sent, failures } = await open(wire, [refuses(status, body)]);

    const first = await ask(LOOK);
    const second = await ask([...LOOK, assistant(text("Hi")), user(text("And now?"))]);

    expect([first, second]).toEqual([
      { words: "Hi", error: null },
      { words: "Hi", error: null },
    ]);
    expect(sent().map((one) => one.includes(BROKEN))).toEqual([true, false, false]);
    expect(sent()[2]).toContain("[data of type image/png, which the model has refused]");
    expect(failures).toEqual([]);
  });

  it.each(OTHERS)("is sent once with %s", async (_, status, body) => {
    const { ask, sent } = await open(wire, [refuses(status, body)]);

    expect((await ask(LOOK)).error).not.toBeNull();
    expect(sent()).toHaveLength(1);
  });

  it("that is not the reason leaves the first refusal, with its words", async () => {
    const turns = [refuses(400, said("No such parameter")), refuses(422, said("Not this either"))];
    const { ask, sent, failures } = await open(wire, turns);

    const first = await ask(LOOK);
    const second = await ask(LOOK);

    expect(first.error?.type).toBe("invalid_request");
    expect(failures).toMatchObject([{ http_status: 400, message: "No such parameter" }]);
    expect([second.words, sent()[2]?.includes(BROKEN)]).toEqual(["Hi", true]);
  });

  it("is not asked about again when nothing but words was sent", async () => {
    const { ask, sent } = await open(wire, [refuses(400, said("No such parameter"))]);

    await ask([user(text("Hi"))]);

    expect(sent()).toHaveLength(1);
  });

  it("that the model has taken before is still sent", async () => {
    const memory = { ...briefMemory(), hasAnswered: () => true };
    const { ask, sent } = await open(wire, [refuses(400, said("Could not process image"))], memory);
    const call = { type: "tool_call", id: "c1", name: "look", input: "{}", state: "finished" };
    const result = { type: "tool_result", id: "c1", name: "look", state: "success" };

    await ask([
      user(picture(GOOD)),
      assistant(text("A shoe."), call, { ...result, output: [picture(BROKEN)] }),
    ]);

    expect(sent().map((one) => [one.includes(GOOD), one.includes(BROKEN)])).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  it("that the model has taken before leaves the refusal as it is", async () => {
    const memory = { ...briefMemory(), hasAnswered: () => true };
    const { ask, sent } = await open(wire, [refuses(400, said("No"))], memory);

    const answer = await ask([
      user(picture(GOOD)),
      assistant(text("A shoe.")),
      user(text("Go on")),
    ]);

    expect([answer.error?.type, sent().length]).toEqual(["invalid_request", 1]);
  });

  it("of a fork's older messages counts as taken as long as there is a newer one", async () => {
    const { ask, sent } = await open(wire, [refuses(400, said("No")), refuses(400, said("No"))]);
    const older = [user(picture(GOOD)), assistant(text("A shoe."))];

    await ask([...older, user(picture(BROKEN))]);
    await ask([...older, user(text("Go on"))]);

    expect(sent().map((one) => one.includes(GOOD))).toEqual([true, true, true]);
  });

  it("at an address elsewhere may be gone after it was taken", async () => {
    const memory = { ...briefMemory(), hasAnswered: () => true };
    const { ask, sent } = await open(wire, [refuses(400, said("Error while downloading"))], memory);
    const url = "https://cdn.example/expired.png";
    const there = { type: "data", source: { type: "url", media_type: "image/png", url } };

    const answer = await ask([
      user(there, picture(GOOD)),
      assistant(text("A shoe.")),
      user(text("?")),
    ]);

    expect(answer).toEqual({ words: "Hi", error: null });
    expect(sent().map((one) => [one.includes(url), one.includes(GOOD)])).toEqual([
      [true, true],
      [false, true],
    ]);
  });
});

it("what a log refuses to remember ends the call", async () => {
  const [wire] = WIRES;
  const remember = (): void => {
    throw new Error("fenced");
  };
  const turns = [refuses(400, said("Could not process image"))];
  const { ask } = await open(wire!, turns, { ...briefMemory(), remember });

  await expect(ask(LOOK)).rejects.toThrow("fenced");
});
