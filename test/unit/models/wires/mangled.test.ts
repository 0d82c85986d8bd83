// A good answer in which nothing, or something, was mangled on its way: by framing, noise, cuts, repetitions, and
// members that are missing, null or of another type.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../../agent/ports.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { runs } from "../../../support/breadth.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };

/** The chunks of a wire's model when this body comes, in reads of these sizes. */
async function play(wire: Wire, body: Uint8Array, sizes: readonly number[], isBroken = false) {
  let at = 0;
  let reads = 0;
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (at < body.length) {
        const size = sizes[reads % sizes.length] ?? body.length;
        controller.enqueue(body.slice(at, at + size));
        at += size;
        reads += 1;
      } else if (isBroken) controller.error(new Error("reset"));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
  const headers = { "content-type": "text/event-stream" };
  let requests = 0;
  const outgoing = createOutgoing({
    environment: "local",
    fetch: async () => {
      requests += 1;
      return new Response(stream, { headers });
    },
  });
  const model = wire.model("http://127.0.0.1:1", { outgoing });
  const chunks = joinChunks(await collect(model.stream(request, new AbortController().signal)));
  expect(requests).toBe(1);
  return chunks;
}

const NOISE: readonly string[] = [
  "",
  "\n\n",
  ": still here\n\n",
  "data:\n\n",
  "data: \n\n",
  "event: ping\n\n",
  "event: ping\ndata: {}\n\n",
  "event: keepalive\ndata: ok\n\n",
  "event: queue\ndata: position 3\n\n",
  "retry: 5\n\n",
  "id: 7\n\n",
  "nothing: of it\n\n",
];

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });
const noise = fc.array(fc.constantFrom(...NOISE), { minLength: 1, maxLength: 6 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const form = fc.constantFrom<((event: object) => string)[]>(
  (event) => `data: ${JSON.stringify(event)}\n\n`,
  (event) => `data:${JSON.stringify(event)}\n\n`,
  (event) => `data:  ${JSON.stringify(event)} \n\n`,
  (event) => `id: 3\ndata: ${JSON.stringify(event)}\n\n`,
  (event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`,
  (event) => `data: ${JSON.stringify({ ...event, extra: null, and: [{}] })}\n\n`,
  (event) => `data: ${JSON.stringify(event, null, 1).replaceAll("\n", "\ndata: ")}\n\n`,
);

const bytes = (text: string) => new TextEncoder().encode(text);

/** In place of a member. */
const odd = fc.constantFrom(undefined, null, "", 0, 7, true, [], {}, [null], "x");

/** The event with another value at one of its members, however deep. */
function withMember(event: object, at: number, value: unknown): object {
  const copy = structuredClone(event) as Record<string, unknown>;
  const places: [Record<string, unknown>, string][] = [];
  const visit = (fields: object): void => {
    for (const [name, member] of Object.entries(fields)) {
      places.push([fields as Record<string, unknown>, name]);
      if (typeof member === "object" && member !== null) visit(member);
    }
  };
  visit(copy);
  const place = places[at % places.length];
  if (place) place[0][place[1]] = value;
  return copy;
}

const ERRORS: readonly unknown[] = (["connection", "upstream"] as const).map((type) =>
  modelError(type),
);

/** Without counts, which a mangled event may have lost. */
function said(chunks: readonly ModelChunk[]): readonly ModelChunk[] {
  return joinChunks(chunks.filter(({ usage, error }) => !usage && !error));
}

describe.each(WIRES)("a mangled answer of $name", (wire) => {
  it("is the same with other framing and noise between its events", async () => {
    const whole = await play(
      wire,
      bytes(wire.answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")),
      [500],
    );

    await fc.assert(
      fc.asyncProperty(
        fc.record({ sizes, noise, lineEnd, form, isOpen: fc.boolean() }),
        async (drawn) => {
          const events = wire.answer.map(
            (event, index) => drawn.noise[index % drawn.noise.length] + drawn.form(event),
          );
          const text = drawn.isOpen ? events.join("").trimEnd() : events.join("");
          const body = bytes(text.replaceAll("\n", drawn.lineEnd));

          expect(await play(wire, body, drawn.sizes)).toEqual(whole);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("ends with an error of a name, or without one, whatever became of its members", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ event: fc.nat(20), at: fc.nat(40), value: odd }), {
          minLength: 1,
          maxLength: 3,
        }),
        sizes,
        async (changes, drawnSizes) => {
          const events = [...wire.answer];
          for (const { event, at, value } of changes) {
            const index = event % events.length;
            events[index] = withMember(events[index]!, at, value);
          }
          const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

          const chunks = await play(wire, bytes(text), drawnSizes);

          const { error } = chunks.at(-1) ?? {};
          if (error) expect(ERRORS).toContainEqual(error);
          for (const { delta } of chunks.flatMap(({ tool_calls = [] }) => tool_calls)) {
            expect(typeof delta).toBe("string");
          }
        },
      ),
      { numRuns: runs(120) },
    );
  });

  it("is no whole answer when it was cut before its last two events", async () => {
    const text = wire.answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const whole = said(await play(wire, bytes(text), [500]));
    const last = wire.answer
      .slice(0, -2)
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join("").length;

    await fc.assert(
      fc.asyncProperty(fc.nat(last - 3), sizes, fc.boolean(), async (to, drawnSizes, isBroken) => {
        const chunks = await play(wire, bytes(text.slice(0, to)), drawnSizes, isBroken);

        expect(chunks.at(-1)).toEqual({ error: modelError("connection") });
        expect(said(chunks).length).toBeLessThanOrEqual(whole.length);
      }),
      { numRuns: runs(60) },
    );
  });
});
