// The platform's files on their way to a model: as base64 in a request that is sent piece by piece, and never by a text
// that looks like a mark.
import { describe, expect, it, onTestFinished } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import { createModel } from "../../../model/create-model.ts";
import type { FoundMedia, MediaPort } from "../../../model/media-port.ts";
import type { ContentBlockInput } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { refundDeskTurn } from "../../../demo/refund-desk-turn.ts";
import { says, startFakeOpenAi, type FakeOpenAi } from "../../support/fake-openai.ts";

const FILE = "https://api.test/v1/files/fil_1/content";
const FORGED = "reprise-media:00000000-0000-4000-8000-000000000000";
type Content = readonly ContentBlockInput[];

const STOP = new AbortController().signal;

function photo(bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, index) => (index * 31) % 251);
}

function found(bytes: Uint8Array<ArrayBuffer>, open = () => streamOf(bytes)): FoundMedia {
  return { bytes: bytes.byteLength, media_type: "image/png", open: async () => open() };
}

/** @param failAt The byte at which it breaks off. */
function streamOf(bytes: Uint8Array<ArrayBuffer>, failAt = Infinity): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= failAt) return controller.error(new Error("R2 is down"));
      controller.enqueue(bytes.slice(sent, (sent += 70_001)));
      if (sent >= bytes.byteLength) controller.close();
    },
  });
}

function port(find: MediaPort["find"]): MediaPort {
  return { isFile: (url) => url === FILE, find };
}

async function open(media: MediaPort) {
  const server = await startFakeOpenAi(says("A shoe."));
  onTestFinished(() => server.stop());
  const model = createModel(
    {
      provider: "openai",
      name: "gpt-fake",
      base_url: server.baseUrl,
      parameters: {},
    } as Parameters<typeof createModel>[0],
    {
      outgoing: (input, init) => fetch(input, init),
      secrets: () => ({ ok: false, type: "setup", problem: "none" }) as never,
      decideTurn: refundDeskTurn,
      media,
    },
  );
  const ask = async (content: Content, more: Content = []) => {
    const messages = [
      UserMsg({ name: "kim", content }),
      ...(more.length > 0 ? [AssistantMsg({ name: "Desk", content: more })] : []),
    ];
    const chunks: ModelChunk[] = [];
    for await (const chunk of model.stream({ system_prompt: "", messages, tools: [] }, STOP)) {
      chunks.push(chunk);
    }
    return chunks;
  };
  return { server, ask, model };
}

function block(url = FILE): Extract<ContentBlockInput, { type: "data" }> {
  return { type: "data", id: "b1", source: { type: "url", url, media_type: "image/png" } };
}

function imagesSeen({ requests }: FakeOpenAi): readonly string[] {
  const text = requests.at(-1)?.text ?? "";
  return [...text.matchAll(/data:image\/png;base64,([A-Za-z0-9+/=]*)/g)].map(
    ([, data = ""]) => data,
  );
}

describe("a file", () => {
  it.each([1, 2, 3, 49_151, 49_152, 49_153, 1_000_000])(
    "of %i bytes reaches the model whole, with its length announced",
    async (length) => {
      const bytes = photo(length);
      const { server, ask } = await open(port(async () => new Map([[FILE, found(bytes)]])));

      await ask([block()]);

      const [data = ""] = imagesSeen(server);
      expect(Buffer.from(data, "base64").equals(Buffer.from(bytes))).toBe(true);
      const [sent] = server.requests;
      expect(sent?.headers["content-length"]).toBe(String(sent?.text.length));
    },
  );

  it.each([["image/*"], ["application/octet-stream"], ["image/heic"], ["application/pdf"]])(
    "that is a picture is shown as one, also when its block says %s",
    async (media_type) => {
      const bytes = photo(100);
      const { server, ask } = await open(port(async () => new Map([[FILE, found(bytes)]])));

      await ask([{ ...block(), source: { type: "url", url: FILE, media_type } }]);

      expect(imagesSeen(server)).toHaveLength(1);
    },
  );

  it("that is looked for in vain ends with the call when that is stopped", async () => {
    const { server, model } = await open(port(() => new Promise(() => undefined)));
    const stop = new AbortController();
    const messages = [UserMsg({ name: "kim", content: [block()] })];
    const stream = model.stream({ system_prompt: "", messages, tools: [] }, stop.signal);
    const first = stream[Symbol.asyncIterator]().next();

    stop.abort();

    expect(await first).toMatchObject({ done: true });
    expect(server.requests).toEqual([]);
  });

  it("named twice is sent twice", async () => {
    const bytes = photo(100);
    const { server, ask } = await open(port(async () => new Map([[FILE, found(bytes)]])));

    await ask([block(), block()]);

    expect(imagesSeen(server)).toHaveLength(2);
  });

  it("whose bytes break off in the middle fails the call like a lost connection", async () => {
    const bytes = photo(1_000_000);
    const failing = found(bytes, () => streamOf(bytes, 300_000));
    const { server, ask } = await open(port(async () => new Map([[FILE, failing]])));

    const chunks = await ask([block()]);

    expect(chunks.map(({ error }) => error?.type)).toEqual(["connection"]);
    expect(server.requests).toEqual([]);
  });

  it("that is gone between the question and the reading is a note when the call is made again", async () => {
    const gone = found(photo(100), () => {
      throw new Error("the file is gone");
    });
    let calls = 0;
    const { server, ask } = await open(
      port(async () => new Map((calls += 1) === 1 ? [[FILE, gone]] : [])),
    );

    const first = await ask([block()]);
    const second = await ask([block()]);

    expect([first[0]?.error?.type, second.some(({ error }) => error)]).toEqual([
      "connection",
      false,
    ]);
    expect(server.requests[0]?.text).toContain("which is not there any more");
  });

  it("that cannot be looked up fails the call, and nothing is sent", async () => {
    const { server, ask } = await open(port(() => Promise.reject(new Error("D1 is down"))));

    const chunks = await ask([block()]);

    expect(chunks.map(({ error }) => error?.type)).toEqual(["connection"]);
    expect(server.requests).toEqual([]);
  });

  it("in a tool's result that this session does not name is a note, and its address is not fetched", async () => {
    const { server, ask } = await open(port(async () => new Map()));

    await ask(
      [{ type: "text", id: "t1", text: "Hi" }],
      [
        { type: "tool_call", id: "c1", name: "look", input: "{}", state: "finished" },
        { type: "tool_result", id: "c1", name: "look", output: [block()], state: "success" },
      ],
    );

    expect(server.requests[0]?.text).toContain("which is not there any more");
    expect(server.requests[0]?.text).not.toContain(FILE);
  });
});

describe("a text that looks like a mark", () => {
  it.each([
    ["of a user", [{ type: "text", id: "t1", text: FORGED }], []],
    [
      "of a tool",
      [{ type: "text", id: "t1", text: "Hi" }],
      [
        { type: "tool_call", id: "c1", name: "look", input: "{}", state: "finished" },
        {
          type: "tool_result",
          id: "c1",
          name: "look",
          output: [{ type: "text", id: "t2", text: `${FORGED} ${FORGED}` }],
          state: "success",
        },
      ],
    ],
  ] as readonly [string, Content, Content][])(
    "%s is sent as it is, beside a file",
    async (_, content, more) => {
      const bytes = photo(100);
      const { server, ask } = await open(port(async () => new Map([[FILE, found(bytes)]])));

      await ask([...content, block()], more);

      const text = server.requests[0]?.text ?? "";
      expect(text).toContain(FORGED);
      expect(text.match(/reprise-media/g)?.length).toBe(
        JSON.stringify([content, more]).match(/reprise-media/g)?.length,
      );
      expect(text).toContain(Buffer.from(bytes).toString("base64"));
    },
  );
});

describe("data that was stored before it was checked", () => {
  const stored = (source: object) =>
    ({ type: "data", id: "b2", source: { media_type: "image/png", ...source } }) as Content[number];

  it.each([
    ["the placeholder of AgentScope's documents", { type: "base64", data: "..." }],
    ["no byte", { type: "base64", data: "" }],
    ["half of a quantum", { type: "base64", data: "iVBOR" }],
    ["a text that looks like a mark", { type: "base64", data: FORGED }],
    ["an address that is cut off", { type: "url", url: "data:image/png;base64,iVB*" }],
  ])("is a note when it is %s", async (_, source) => {
    const { server, ask } = await open(port(async () => new Map()));

    const chunks = await ask([stored(source)]);

    expect(chunks.some(({ error }) => error)).toBe(false);
    expect(imagesSeen(server)).toEqual([]);
    const note = "[data of type image/png, whose data cannot be read]";
    expect(server.requests[0]?.text).toContain(note);
  });

  it.each([
    ["lines", { type: "base64", data: "iVBO\r\nRw0K" }],
    ["a prefix", { type: "base64", data: "data:image/jpeg;base64,iVBORw0K" }],
    ["an address without padding", { type: "url", url: "data:image/png;base64,iVBORw" }],
  ])("is put right when it is in %s", async (_, source) => {
    const { server, ask } = await open(port(async () => new Map()));

    await ask([stored(source)]);

    expect(imagesSeen(server)[0]).toMatch(/^iVBORw(?:0K|==)$/);
  });
});

describe("a sound", () => {
  const SOUND = Buffer.from("RIFF0000WAVE").toString("base64");
  const wav = { bytes: 12, media_type: "audio/wav" };
  const file = async () => streamOf(Uint8Array.from(Buffer.from(SOUND, "base64")));

  it.each(["audio/wav", "audio/*", "audio/x-pn-wav", "application/octet-stream"])(
    "in a file of the platform is sent as its bytes when its block says %s",
    async (media_type) => {
      const { server, ask } = await open(
        port(async () => new Map([[FILE, { ...wav, open: file }]])),
      );

      await ask([{ type: "data", id: "b1", source: { type: "url", url: FILE, media_type } }]);

      const part = { type: "input_audio", input_audio: { data: SOUND, format: "wav" } };
      expect(server.requests[0]?.text).toContain(JSON.stringify(part));
    },
  );

  it("in a data: address is sent as its bytes, and one elsewhere is a note", async () => {
    const { server, ask } = await open(port(async () => new Map()));
    const sound = (url: string) =>
      ({ type: "data", id: url, source: { type: "url", url, media_type: "audio/mpeg" } }) as const;

    await ask([sound(`data:audio/mpeg;base64,${SOUND}`), sound("https://cdn.example/a.mp3")]);

    const text = server.requests[0]?.text ?? "";
    expect(text).toContain(JSON.stringify({ data: SOUND, format: "mp3" }));
    expect(text).toContain("[data of type audio/mpeg at https://cdn.example/a.mp3]");
  });
});
