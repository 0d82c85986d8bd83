// Modules that reach an app's bundle, by the conditions that bundlers set for each kind of runtime.
import { describe, expect, it } from "vitest";

import { buildApp, takeModules } from "./build-app.ts";

/** Beside the client itself. */
const ALSO =
  takeModules("sdk/transport/api-error.ts", "sdk/transport/connection-error.ts") +
  `export { getTextContent } from "./protocol/messages/accessors.ts";`;

/**
 * Modules that an app fetches at its start, with its ceiling in bytes after gzip. Of an app with a client token about
 * 3,100 are the fold and the stream codec, and 4,400 are requests, reconnecting and the stream of a reply; of that, 130 know
 * what is loaded for sockets and voice. The rest of the API is 1,700 more, files among it, rooms, triggers and tasks of A2A.
 * Folds of speech are 450, those of kept and counted speech 200 of it, and those of blocks that hooks change 380. They are not loaded late: a fold answers at once, also
 * where nothing loads anything, as in `@reprise/sdk/message`, and the loading of a part takes half of what it would save.
 */
const STARTS = [
  ["an app", "sdk/session/connect-session.ts", 9_920],
  ["a server", "sdk/reprise.ts", 13_480],
] as const;

/**
 * The same with all that is loaded late, as one file: what bundlers make that do not split. WebSockets are 2,100 of it, and
 * voice 3,310, of which 60 begin a player anew with each connection. Forms of messages, and the text of a structured output,
 * are 40; blocks that hooks add and take away are 380 of the fold, and so of each of these.
 */
const WHOLES = [
  ["an app", "ApiError, ConnectionError, connectSession, getTextContent", 17_450],
  ["a server", "ApiError, ConnectionError, getTextContent, Reprise", 21_060],
  ["a receiver of webhooks", "webhooks, WebhookVerificationError", 2_000],
  ["one that answers by callback", "answerCallback, confirmEvent, readCallback", 3_150],
  ["everything", "*", 24_680],
] as const;

/**
 * The entries for user interfaces: with requests and the stream of a reply in the one that has a client. Agents that a reply
 * has called are 350 of the start, and 1,350 that are loaded with the first of them.
 */
const PAGES = [
  ["react", { start: 17_850, whole: 26_320 }],
  ["store", { start: 12_530, whole: 14_580 }],
] as const;

describe.each(["browser", "workerd", "react-native"])("a bundle for %s", (condition) => {
  it("holds the SDK and the ground floor, and nothing of a package or of Node", async () => {
    const { inputs, files } = await buildApp(`export * from "@reprise/sdk";`, {
      condition,
      isSplit: false,
    });

    expect(inputs.filter((path) => !/^(sdk|protocol)\/[\w/-]+\.ts$/.test(path))).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["app.js"]);
    expect(files[0]?.text).not.toMatch(/["']node:|\brequire\(|\bzod\b|\bprocess\./i);
  });

  it.each(STARTS)("keeps the size of what %s starts with", async (_, module, maxBytes) => {
    const { files } = await buildApp(takeModules(module) + ALSO, { condition, isSplit: true });

    const initial = files.filter(({ isInitial }) => isInitial);
    const late = files.filter(({ isInitial }) => !isInitial);
    expect(initial.map(({ name }) => name)).toEqual(["app.js"]);
    expect(initial[0]?.gzipBytes).toBeLessThan(maxBytes);
    expect(late.map(({ name }) => name).toSorted()).toEqual([
      "answering.js",
      // Code that sockets of streams and of voice have in common.
      "chunk.js",
      "grow-data.js",
      "open-voice.js",
      "progress-fetch.js",
      "read-event-page.js",
      "socket-stream.js",
    ]);
    expect(late.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)).toBeLessThan(9_390);
  });

  it("holds the fold alone for messages that take events", async () => {
    const { inputs, files } = await buildApp(`export * from "@reprise/sdk/message";`, {
      condition,
      isSplit: false,
    });

    expect(inputs.filter((path) => !/^(sdk\/message|protocol)\//.test(path))).toEqual([]);
    expect(files[0]?.gzipBytes).toBeLessThan(6_060);
  });

  it.each(PAGES)("keeps the size of @reprise/sdk/%s, with React outside", async (name, sizes) => {
    const source = `export * from "@reprise/sdk/${name}";`;
    const [split, whole] = await Promise.all(
      [true, false].map((isSplit) => buildApp(source, { condition, isSplit })),
    );

    const start = split?.files.filter(({ isInitial }) => isInitial);
    expect(start?.map((file) => file.name)).toEqual(["app.js"]);
    expect(start?.[0]?.gzipBytes).toBeLessThan(sizes.start);
    expect(whole?.files[0]?.gzipBytes).toBeLessThan(sizes.whole);
    expect(whole?.inputs.filter((path) => !/^(sdk|protocol)\/[\w/-]+\.ts$/.test(path))).toEqual([]);
  });

  it.each(WHOLES)("keeps its size for %s", async (_, names, maxBytes) => {
    const what = names === "*" ? names : `{ ${names} }`;

    const { files } = await buildApp(`export ${what} from "@reprise/sdk";`, {
      condition,
      isSplit: false,
    });

    expect(files[0]?.gzipBytes).toBeLessThan(maxBytes);
  });
});
