// Answers that wait for room before they are read.
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import { readBytes, readEvents } from "../../../outgoing/body.ts";
import { NoRoom, withRoom } from "../../../outgoing/with-room.ts";
import { FREE_ANSWER_BYTES } from "../../../protocol/quotas/limits.ts";
import { startLoopbackServer, type LoopbackHandler } from "../../support/loopback-server.ts";

async function open(handler: LoopbackHandler, take: () => Promise<void>) {
  const server = await startLoopbackServer(handler);
  onTestFinished(() => server.stop());
  return (path = "/") => withRoom(fetch, take)(`${server.url}${path}`);
}

const LARGE = "x".repeat(4 * FREE_ANSWER_BYTES);
const EVENTS = `data: ${"y".repeat(FREE_ANSWER_BYTES)}\n\ndata: end\n\n`;

async function count(response: Response): Promise<number> {
  let bytes = 0;
  for await (const piece of readBytes(response)) bytes += piece.byteLength;
  return bytes;
}

async function dataOf(response: Response): Promise<readonly number[]> {
  const lengths: number[] = [];
  const options = { maxEventCharacters: 1_000_000 };
  for await (const batch of readEvents(response, options, ({ data }) => data.length)) {
    lengths.push(...batch);
  }
  return lengths;
}

describe("an answer", () => {
  it("that is small takes no room, whatever there is", async () => {
    const get = await open(
      (_request, response) => void response.end("x".repeat(FREE_ANSWER_BYTES)),
      () => Promise.reject(new NoRoom("none")),
    );

    expect(await count(await get())).toBe(FREE_ANSWER_BYTES);
  });

  it("that is large takes it once, and is read no further before", async () => {
    let taken = 0;
    const gate = Promise.withResolvers<void>();
    const get = await open(
      (_request, response) => void response.end(LARGE),
      () => {
        taken += 1;
        return gate.promise;
      },
    );
    let bytes = 0;
    const reading = (async () => {
      for await (const piece of readBytes(await get())) bytes += piece.byteLength;
    })();
    await expect.poll(() => taken).toBe(1);
    const before = bytes;
    gate.resolve();
    await reading;

    expect(before).toBeLessThanOrEqual(FREE_ANSWER_BYTES);
    expect([bytes, taken]).toEqual([LARGE.length, 1]);
  });

  it("without room ends with that, and its connection is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const get = await open(
      (_request, response) => {
        response.once("close", () => closed.resolve());
        response.write(LARGE);
      },
      () => Promise.reject(new NoRoom("none")),
    );

    await expect(count(await get())).rejects.toThrow(NoRoom);
    await closed.promise;
  });

  it("as a stream of events, as one that is packed, and one without a body are read as they are", async () => {
    const get = await open(
      ({ path }, response) => {
        if (path === "/events") response.end(EVENTS);
        else if (path === "/none") response.writeHead(204).end();
        else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(LARGE));
      },
      () => Promise.resolve(),
    );
    const packed = await get("/packed");

    expect(await dataOf(await get("/events"))).toEqual([FREE_ANSWER_BYTES, 3]);
    expect([packed.headers.get("content-encoding"), await count(packed)]).toEqual([
      null,
      LARGE.length,
    ]);
    expect(await count(await get("/none"))).toBe(0);
  });

  it("that is refused is read as far as somebody wants it, without room", async () => {
    const get = await open(
      (_request, response) => void response.writeHead(500).end(LARGE),
      () => Promise.reject(new NoRoom("none")),
    );

    expect(await count(await get())).toBe(LARGE.length);
  });
});
