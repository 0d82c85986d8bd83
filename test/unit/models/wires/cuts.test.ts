// A stream that is cut at any of its bytes: what was not said whole is never taken for a whole answer.
import { describe, expect, it, onTestFinished } from "vitest";

import type { ModelChunk } from "../../../../agent/ports.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import { sampled } from "../../../support/breadth.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { startLoopbackServer } from "../../../support/loopback-server.ts";
import { eventText, WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };
const AT_ONCE = 16;

/** Serves the first bytes of the answer, as many as the address says, and then ends or breaks the connection. */
async function startCut({ answer }: Wire, isBroken: boolean) {
  const body = Buffer.from(eventText(answer));
  const server = await startLoopbackServer(({ path }, response) => {
    const bytes = Number(path.split("/")[1]);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (!isBroken) response.end(body.subarray(0, bytes));
    else response.write(body.subarray(0, bytes), () => setImmediate(() => response.destroy()));
  });
  onTestFinished(() => server.stop());
  return { url: server.url, length: body.length };
}

async function cutAt(wire: Wire, url: string, bytes: number): Promise<ModelChunk[]> {
  const stream = wire.model(`${url}/${bytes}`).stream(request, new AbortController().signal);
  return joinChunks(await collect(stream));
}

/** Without counts and errors. The author of a proof follows from the address, which has the cut in it. */
function wordsOf(chunks: readonly ModelChunk[]): readonly ModelChunk[] {
  const said = chunks.filter(({ usage, error }) => !usage && !error);
  return JSON.parse(JSON.stringify(said).replaceAll(/by\\":\\"[0-9a-f]{8}/g, "by")) as ModelChunk[];
}

/** The text of everything said, in its order. */
function flat(chunks: readonly ModelChunk[]): string {
  return wordsOf(chunks)
    .map(({ thinking = "", thinking_signature = "", text = "", tool_calls = [] }) =>
      [thinking, thinking_signature, text, ...tool_calls.map(({ delta }) => delta)].join(""),
    )
    .join("");
}

for (const [rows, breadth] of sampled(WIRES, 1))
  describe.each(rows)("a stream of $name", breadth, (wire) => {
    it.each([
      ["ended", false],
      ["broken", true],
    ])(
      "that is %s at any byte is its beginning and a lost connection, or whole",
      async (_case, isBroken) => {
        const { url, length } = await startCut(wire, isBroken);
        const whole = await cutAt(wire, url, length);
        expect(whole.at(-1)?.error).toBeUndefined();
        let lost = 0;
        for (let from = 0; from < length; from += AT_ONCE) {
          const cuts = Array.from({ length: Math.min(AT_ONCE, length - from) }, (_, n) => from + n);
          const found = await Promise.all(cuts.map((bytes) => cutAt(wire, url, bytes)));
          for (const chunks of found) {
            const { error } = chunks.at(-1) ?? {};
            if (!error) expect(wordsOf(chunks)).toEqual(wordsOf(whole));
            else {
              lost += 1;
              expect(error).toEqual(modelError("connection"));
              expect(flat(whole).startsWith(flat(chunks))).toBe(true);
            }
          }
        }
        // All but the last event or two have to be there.
        expect(lost).toBeGreaterThan(length * 0.7);
      },
      120_000,
    );
  });
