// Bundles of the SDK in a Node without bundler or sources: what is loaded late is there when it is needed.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, inject, it, onTestFinished } from "vitest";

import { encodeEventFrame } from "../../protocol/sse.ts";
import { foldEvents, type LoggedEvent } from "../../sdk/index.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { buildApp, takeModules } from "./build-app.ts";
import { CALL_REFUND, openPeopleDesk } from "./people-desk.ts";

/** Says something, agrees where a person is asked, and tells what it saw and which files that took. */
const VISIT = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) loaded.push(url.slice(url.lastIndexOf("/") + 1));
      return next(url, context);
    },
  });
  const { Reprise, ConnectionError } = await import("./app.js");
  const [baseUrl, apiKey, sessionId, input, transport] = process.argv.slice(2);
  const reconnect = { firstDelayMs: 1, maxDelayMs: 5, giveUpAfterMs: 50 };
  const session = new Reprise({ baseUrl, apiKey, reconnect, transport }).session(sessionId);
  const reply = session.reply(input);
  const steps = [];
  const step = (more) => steps.push({ status: reply.status, loaded: loaded.splice(0), ...more });
  try {
    for await (const event of reply);
    step();
    if (reply.status === "awaiting_permission") {
      await session.confirm(await reply.done());
      for await (const event of reply);
      step();
    }
  } catch (error) {
    step({ isConnectionError: ConnectionError.isInstance(error) });
  }
  console.log(JSON.stringify({ steps, cursor: reply.cursor, message: reply.message() }));
`;

interface Visit {
  readonly steps: readonly object[];
  readonly cursor: number;
  readonly message: object | null;
}

async function visit(isSplit: boolean, visitor: readonly string[], missing?: string) {
  const folder = mkdtempSync(join(tmpdir(), "reprise-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = takeModules("sdk/reprise.ts", "sdk/transport/connection-error.ts");
  const { files } = await buildApp(source, { isSplit });
  for (const { name, text } of files) if (name !== missing) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
  writeFileSync(join(folder, "visit.js"), VISIT);
  const script = join(folder, "visit.js");
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...visitor]);
  return JSON.parse(stdout) as Visit;
}

async function askForRefund() {
  const { apiKey, openSession } = await openPeopleDesk();
  const session = await openSession();
  return { session, visitor: [inject("baseUrl"), apiKey, session.id, CALL_REFUND] };
}

const of = { reply_id: "rep_1", created_at: "2026-11-21T12:00:00.000Z" };
const piece = { type: "DATA_BLOCK_DELTA", block_id: "b1", url: null, media_type: "image/png" };
const PICTURE = [
  { type: "REPLY_START", name: "Desk", role: "assistant" },
  { type: "DATA_BLOCK_START", block_id: "b1", media_type: "image/png", name: null },
  { ...piece, data: "iVBORw==" },
  { ...piece, data: "DQoaCg==" },
  { type: "DATA_BLOCK_END", block_id: "b1" },
  { type: "REPLY_END", finished_reason: "completed", error: null },
].map((event, index) => ({ ...event, ...of, seq: index + 1 }) as unknown as LoggedEvent);

/** A platform whose every stream is the whole reply. */
async function askForPicture() {
  const server = await startLoopbackServer((_, response) => {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "reprise-reply-id": of.reply_id,
    });
    response.end(PICTURE.map(encodeEventFrame).join(""));
  });
  onTestFinished(() => server.stop());
  return [server.url, "rk_test_x", "ses_1", "Draw."];
}

describe("a split bundle", () => {
  it("streams a reply with its first file, and loads the answers with the first of them", async () => {
    const { session, visitor } = await askForRefund();

    const { steps, message } = await visit(true, visitor);

    expect(steps).toEqual([
      { status: "awaiting_permission", loaded: ["app.js"] },
      { status: "completed", loaded: ["answering.js"] },
    ]);
    const [reply] = (await session.replies.list().page()).data;
    expect(message).toEqual(reply?.message);
  });

  it("loads what reads over WebSockets where it is asked to", async () => {
    const { visitor } = await askForRefund();

    const { steps } = await visit(true, [...visitor, "websocket"]);

    expect(steps).toEqual([
      { status: "awaiting_permission", loaded: ["app.js", "socket-stream.js", "chunk.js"] },
      { status: "completed", loaded: ["answering.js"] },
    ]);
  });

  it("loads what joins base64 with the first piece, and shows the picture whole", async () => {
    const { steps, message } = await visit(true, await askForPicture());

    expect(steps).toEqual([{ status: "completed", loaded: ["app.js", "grow-data.js"] }]);
    expect(message).toEqual(foldEvents(PICTURE));
    expect(message).toMatchObject({ content: [{ source: { data: "iVBORw0KGgo=" } }] });
  });

  it("fails an answer like a lost connection when its code does not load", async () => {
    const { visitor } = await askForRefund();

    const { steps } = await visit(true, visitor, "answering.js");

    expect(steps).toEqual([
      { status: "awaiting_permission", loaded: ["app.js"] },
      { status: "awaiting_permission", loaded: [], isConnectionError: true },
    ]);
  });

  it("stops reading before the event whose code does not load", async () => {
    const { steps, cursor } = await visit(true, await askForPicture(), "grow-data.js");

    expect(steps).toEqual([{ status: "running", loaded: ["app.js"], isConnectionError: true }]);
    expect(cursor).toBe(2);
  });
});

describe("a bundle in one file", () => {
  it("streams, answers and goes on without loading anything", async () => {
    const { session, visitor } = await askForRefund();

    const { steps, message } = await visit(false, visitor);

    expect(steps).toEqual([
      { status: "awaiting_permission", loaded: ["app.js"] },
      { status: "completed", loaded: [] },
    ]);
    const [reply] = (await session.replies.list().page()).data;
    expect(message).toEqual(reply?.message);
  });

  it("shows a picture whole", async () => {
    const { steps, message } = await visit(false, await askForPicture());

    expect(steps).toEqual([{ status: "completed", loaded: ["app.js"] }]);
    expect(message).toEqual(foldEvents(PICTURE));
  });
});
