// Media that tools and models make: what is large is stored before an event names it, and the log gets its address.
import { describe, expect, it } from "vitest";

import type { KeptMedia, MadeMedia, MediaStore } from "../../../agent/media-store.ts";
import type { ModelChunk, ToolChunk } from "../../../agent/ports.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { MAX_INLINE_MEDIA_CHARACTERS } from "../../../protocol/files/limits.ts";
import { MAX_REPLY_CHARACTERS } from "../../../protocol/replies/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const LARGE = "A".repeat(MAX_INLINE_MEDIA_CHARACTERS + 4);
const SMALL = "AAAA";
const FILE = "https://api.test/v1/files/fil_1/content";
const DONE: readonly ModelChunk[] = [{ text: "Done" }];

interface Store extends MediaStore {
  /** Media that was stored, with the number of events in the log at that moment. */
  readonly kept: (MadeMedia & { readonly events: number })[];
}

function store(log: MemoryLog, answer: KeptMedia = { ok: true, url: FILE }): Store {
  const kept: Store["kept"] = [];
  return {
    kept,
    async keep({ media_type, data }) {
      await Promise.resolve();
      kept.push({ media_type, data: [...data], events: log.events.length });
      return answer;
    },
    isLink: (url) => url.includes("/v1/file-links/"),
  };
}

function picture(data: string, index = 0): ModelChunk {
  return { data: [{ index, media_type: "image/png", data }] };
}

function sound(data: string): ModelChunk {
  return { data: [{ index: 0, media_type: "audio/pcm", data }] };
}

async function play(chunks: readonly ModelChunk[], answer?: KeptMedia, stop?: AbortSignal) {
  const log = new MemoryLog();
  const mediaStore = store(log, answer);
  const models = [playedModel("m", chunks, DONE)] as const;
  await runScript({ script: "hi", log, models, mediaStore, ...(stop && { stop }) });
  return { log, kept: mediaStore.kept };
}

function typesOf({ events }: MemoryLog): readonly string[] {
  return events.map(({ type }) => type).slice(1);
}

function largest(events: readonly LoggedEvent[]): number {
  return Math.max(...events.map((event) => JSON.stringify(event).length));
}

describe("a model's picture", () => {
  it("that is large is a file before an event names it, in its place between the texts", async () => {
    const { log, kept } = await play([{ text: "a" }, picture(LARGE), { text: "b" }]);

    expect(kept).toEqual([{ media_type: "image/png", data: [LARGE], events: 4 }]);
    expect(typesOf(log)).toEqual([
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "DATA_BLOCK_START",
      "DATA_BLOCK_DELTA",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "DATA_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(log.state.message.content[1]).toMatchObject({
      type: "data",
      source: { type: "url", url: FILE, media_type: "image/png" },
    });
    expect(largest(log.events)).toBeLessThan(1_000);
    // An address takes the room of its characters.
    expect(log.state.characters).toBe("ab".length + FILE.length);
  });

  it("that is the whole answer is no empty answer", async () => {
    const { log } = await play([picture(LARGE)]);

    expect(log.state.message.finished_reason).toBe("completed");
    expect(log.state.message.content).toHaveLength(1);
  });

  it("that is small stays in the log, and is not stored", async () => {
    const { log, kept } = await play([picture(SMALL), { text: "b" }]);

    expect(kept).toEqual([]);
    expect(log.state.message.content[0]).toMatchObject({ source: { type: "base64", data: SMALL } });
  });

  it("whose index comes again is another block when it is too large with it", async () => {
    const half = "A".repeat(MAX_INLINE_MEDIA_CHARACTERS - 4);
    const { log, kept } = await play([picture(half), { text: "b" }, picture(half)]);

    expect(kept.map(({ data }) => data)).toEqual([[half]]);
    expect(log.state.message.content.map(({ type }) => type)).toEqual(["data", "text", "data"]);
  });

  it.each([
    ["quota", "there is no room for files left"],
    ["unavailable", "it could not be stored"],
    ["malformed", "its data is not base64"],
  ] as const)(
    "that cannot be kept (%s) becomes a note, and the reply goes on",
    async (loss, why) => {
      const { log } = await play([picture(LARGE), { text: "b" }], { ok: false, loss });

      expect(log.state.message.finished_reason).toBe("completed");
      expect(log.state.message.content).toMatchObject([
        {
          type: "hint",
          source: "media_left_out",
          hint: `[data of type image/png was left out: ${why}]`,
        },
        { type: "text", text: "b" },
      ]);
    },
  );

  it("of a reply that is stopped meanwhile is named by no event", async () => {
    const log = new MemoryLog();
    const controller = new AbortController();
    const { keep, ...rest } = store(log);
    const mediaStore: MediaStore = {
      ...rest,
      keep(media) {
        controller.abort();
        return keep(media);
      },
    };
    const models = [playedModel("m", [{ text: "a" }, picture(LARGE), { text: "b" }])] as const;
    await runScript({ script: "hi", log, models, mediaStore, stop: controller.signal });

    expect(JSON.stringify(log.events)).not.toContain(FILE);
    expect(log.types.at(-1)).toBe("TEXT_BLOCK_DELTA");
  });

  it("that is stored before the call fails is taken back with its words", async () => {
    const failed: ModelChunk = { error: { type: "upstream", message: "gone" } };
    const { log } = await play([picture(LARGE), { text: "b" }, failed]);

    expect(log.state.message.content).toMatchObject([{ type: "text", text: "Done" }]);
  });

  it("that has no room any more becomes a note in the end of the reply", async () => {
    const piece = "A".repeat(4_000_000);
    const { log, kept } = await play(Array.from({ length: 4 }, () => picture(piece)));

    expect(kept).toEqual([]);
    expect(log.state.message.error?.type).toBe("output_limit");
    expect(log.state.message.content).toMatchObject([
      { type: "hint", hint: expect.stringContaining("the reply has no room for more") },
    ]);
    expect(largest(log.events)).toBeLessThan(1_000);
  });

  it("makes room for others: a reply may have more of them than fit into its log", async () => {
    const piece = "A".repeat(3_000_000);
    const count = MAX_REPLY_CHARACTERS / piece.length + 3;
    const chunks = Array.from({ length: count }, (_, index) => picture(piece, index));

    const { log, kept } = await play(chunks);

    expect([kept.length, log.state.message.finished_reason]).toEqual([count, "completed"]);
  });
});

describe("a model's audio", () => {
  it("comes in pieces between its words, and is one block behind them", async () => {
    const piece = "A".repeat(40_000);
    const { log, kept } = await play([
      sound(piece),
      { text: "Hel" },
      sound(piece),
      { text: "lo" },
      sound(piece),
    ]);

    expect(kept.map(({ data }) => data)).toEqual([[piece, piece, piece]]);
    expect(log.state.message.content).toMatchObject([
      { type: "text", text: "Hello" },
      { type: "data", source: { type: "url", url: FILE, media_type: "audio/pcm" } },
    ]);
    expect(largest(log.events)).toBeLessThan(1_000);
  });

  it("that is small is whole in the log", async () => {
    const { log, kept } = await play([sound("AAAA"), { text: "Hi" }, sound("BBBB")]);

    expect(kept).toEqual([]);
    expect(log.state.message.content[1]).toMatchObject({
      source: { type: "base64", data: "AAAABBBB" },
    });
  });
});

describe("a tool's media", () => {
  const call: readonly ModelChunk[] = [
    { tool_calls: [{ index: 0, id: "c0", name: "look", delta: "{}" }] },
  ];

  async function look(chunks: readonly ToolChunk[], answer?: KeptMedia) {
    const log = new MemoryLog();
    const mediaStore = store(log, answer);
    const models = [playedModel("m", call, DONE)] as const;
    const tools = functionTools({ look: { run: () => "" } });
    const runner = {
      tools: tools.tools,
      async *run() {
        yield* chunks;
      },
    };
    await runScript({
      script: "hi",
      log,
      models,
      mediaStore,
      tools: runner,
      permission: { mode: "bypass", rules: [], working_directories: [] },
    });
    const result = log.state.message.content.find(({ type }) => type === "tool_result");
    return { log, kept: mediaStore.kept, result };
  }

  it.each<[string, ToolChunk]>([
    ["as data", { type: "data", media_type: "image/png", data: LARGE }],
    [
      "in a data: address",
      { type: "url", media_type: "image/png", url: `data:image/png;base64,${LARGE}` },
    ],
    [
      "in a data: address with parameters",
      { type: "url", media_type: "image/png", url: `data:image/png;name=a;base64,${LARGE}` },
    ],
  ])("%s is a file when it is large", async (_, chunk) => {
    const { log, kept, result } = await look([{ type: "text", delta: "See:" }, chunk]);

    expect(kept.map(({ data }) => data)).toEqual([[LARGE]]);
    expect(result).toMatchObject({
      state: "success",
      output: [
        { type: "text", text: "See:" },
        { type: "data", source: { type: "url", url: FILE, media_type: "image/png" } },
      ],
    });
    expect(largest(log.events)).toBeLessThan(1_000);
  });

  it.each<[string, ToolChunk, object]>([
    [
      "data with a prefix",
      { type: "data", media_type: "image/jpeg", data: "data:image/jpeg;base64,AAE" },
      { type: "base64", media_type: "image/jpeg", data: "AAE=" },
    ],
    [
      "an address that is not padded",
      { type: "url", media_type: "image/png", url: "data:image/png;base64,AA E" },
      { type: "url", media_type: "image/png", url: "data:image/png;base64,AAE=" },
    ],
  ])("is put right: %s", async (_, chunk, source) => {
    const { result } = await look([chunk]);

    expect(result).toMatchObject({ state: "success", output: [{ type: "data", source }] });
  });

  it.each<ToolChunk>([
    { type: "data", media_type: "image/png", data: "..." },
    { type: "data", media_type: "image/png", data: "" },
    { type: "url", media_type: "image/png", url: "data:image/png;base64,%%%" },
  ])("is a note when it cannot be read: %j", async (chunk) => {
    const { result } = await look([chunk]);

    const note = "[data of type image/png was left out: its data is not base64]\n";
    expect(result).toMatchObject({ state: "success", output: [{ type: "text", text: note }] });
  });

  it("that is small stays in the log", async () => {
    const { kept, result } = await look([{ type: "data", media_type: "image/png", data: SMALL }]);

    expect(kept).toEqual([]);
    expect(result).toMatchObject({ output: [{ source: { type: "base64", data: SMALL } }] });
  });

  it("that cannot be kept is a note in the result, whose call succeeds", async () => {
    const { result } = await look(
      [
        { type: "text", delta: "See:" },
        { type: "data", media_type: "image/png", data: LARGE },
        { type: "text", delta: "That was it." },
      ],
      { ok: false, loss: "quota" },
    );

    const note = "[data of type image/png was left out: there is no room for files left]";
    expect(result).toMatchObject({
      state: "success",
      output: [{ type: "text", text: `See:\n${note}\nThat was it.` }],
    });
  });

  it("by a link that expires is a note: links never enter the log", async () => {
    const url = "https://api.test/v1/file-links/fl_1";
    const { log, result } = await look([{ type: "url", media_type: "image/png", url }]);

    expect(result).toMatchObject({
      output: [{ type: "text", text: expect.stringContaining("a link expires") }],
    });
    expect(JSON.stringify(log.events)).not.toContain(url);
  });

  it("takes the room of its address alone: results may have more of it than fit into a reply", async () => {
    const data = "A".repeat(4_000_000);
    const chunk: ToolChunk = { type: "data", media_type: "image/png", data };
    const { kept, result } = await look([chunk, chunk, chunk, chunk]);

    expect([kept.length, result]).toMatchObject([4, { state: "success" }]);
  });
});
