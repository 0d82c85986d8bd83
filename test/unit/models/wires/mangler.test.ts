// Good answers that are mangled on their way to the loop: the reply ends with the right message or a named error, in as
// many requests as are documented, no tool runs with an input that the model did not finish, and the session goes on.
import "../../../support/property-seed.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ErrorInfoSchema, type Msg } from "../../../../protocol/messages/messages.ts";
import { MAX_MODEL_RETRIES } from "../../../../protocol/models/limits.ts";
import { UserMsg } from "../../../../protocol/messages/constructors.ts";
import { runs, sampled } from "../../../support/breadth.ts";
import { functionTools } from "../../../support/function-tools.ts";
import {
  startLoopbackServer,
  type LoopbackServer,
  type RecordedRequest,
} from "../../../support/loopback-server.ts";
import { runScript } from "../../../support/run-script.ts";
import { GOOD_WIRES, ORDERS, type GoodEvent, type GoodWire, type Said } from "./good-answers.ts";
import { refusalOf } from "./strict-requests.ts";
import { WIRES, type Wire } from "./wires.ts";

/** The bytes of an answer, and how they come. */
interface Body {
  readonly bytes: Buffer;
  /** The place at which the answer is cut; undefined for its end. */
  readonly cut?: number;
  readonly isBroken?: boolean;
  /** Sizes of what is written at once. */
  readonly sizes: readonly number[];
}

interface Script {
  /** The first answers; each later one is good. */
  readonly mangled: Body;
  /** The number of times that the mangled answer comes. */
  readonly times: number;
}

const SAID: readonly Said[] = [
  { thinking: "", texts: ["All ", "done."], calls: 0 },
  { thinking: "Hm.", texts: ["All ", "done."], calls: 0 },
  { thinking: "", texts: [], calls: 1 },
  { thinking: "Two orders.", texts: ["I look."], calls: 2 },
];
const FINAL: Said = { thinking: "", texts: ["All done."], calls: 0 };

const scripts = new Map<string, Script & { requests: RecordedRequest[]; wire: Wire }>();
let server: LoopbackServer;
let played = 0;

beforeAll(async () => {
  server = await startLoopbackServer(async (request, response) => {
    const script = scripts.get(request.path.split("/")[1] ?? "");
    if (!script) throw new Error(`no script for ${request.path}`);
    const { wire, requests } = script;
    requests.push(request);
    const refusal = refusalOf(wire.name, request.body, request.text);
    if (refusal !== null) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: refusal } }));
      return;
    }
    // The answer after the results of its calls is another one.
    const isMangled = requests.length <= script.times && request.text === requests[0]?.text;
    const good = { bytes: frame(goodOf(wire).answer(FINAL)), sizes: [1_000] };
    const { bytes, cut, isBroken, sizes }: Body = isMangled ? script.mangled : good;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const end = cut === undefined ? bytes.length : cut % bytes.length;
    let at = 0;
    for (let write = 0; at < end; write += 1) {
      const size = sizes[write] ?? end;
      response.write(bytes.subarray(at, Math.min(end, at + size)));
      at += size;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isBroken) setImmediate(() => response.destroy());
    else response.end();
  });
});

afterAll(() => server.stop());

function goodOf({ name }: Wire): GoodWire {
  const good = GOOD_WIRES[name];
  if (!good) throw new Error(`no good answers of ${name}`);
  return good;
}

const form = fc.record({
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  space: fc.constantFrom("", " ", "  "),
  between: fc.constantFrom("", ": comment\n\n", "event: ping\ndata:\n\n", "retry: 9\nid: 1\n\n"),
  bom: fc.boolean(),
  isNamed: fc.boolean(),
  isOpen: fc.boolean(),
});
type Form = typeof form extends fc.Arbitrary<infer Value> ? Value : never;

const PLAIN: Form = {
  lineEnd: "\n",
  space: " ",
  between: "",
  bom: false,
  isNamed: true,
  isOpen: false,
};

function frame(events: readonly GoodEvent[], drawn: Form = PLAIN): Buffer {
  const { space, between, isNamed, isOpen, lineEnd, bom } = drawn;
  const text = events.map(({ name, data }) => {
    const line = name !== null && isNamed ? `event:${space}${name}\n` : "";
    const json = typeof data === "string" ? data : JSON.stringify(data);
    return `${between}${line}data:${space}${json}\n\n`;
  });
  const whole = isOpen ? text.join("").trimEnd() : text.join("");
  return Buffer.from((bom ? "\uFEFF" : "") + whole.replaceAll("\n", lineEnd));
}

interface Played {
  readonly message: Msg;
  readonly inputs: readonly unknown[];
  readonly requests: number;
}

/** Plays a reply whose first answers are mangled, and the next plain message of its session. */
async function play(wire: Wire, script: Script): Promise<Played> {
  const path = `${(played += 1)}`;
  const requests: RecordedRequest[] = [];
  scripts.set(path, { ...script, requests, wire });
  const inputs: unknown[] = [];
  const schema = { type: "object", required: ["order_id"] };
  const tools = functionTools({
    look_up: { input_schema: schema, run: (input: unknown) => `found ${inputs.push(input)}` },
  });
  const models = [wire.model(`${server.url}/${path}`)] as const;
  const log = await runScript({ script: "Where?", tools, models });
  const { message } = log.state;
  const asked = requests.length;

  const history = [UserMsg({ name: "user", content: "Where?" }), message];
  const next = await runScript({ script: "And now?", tools, models, history });
  expect(next.state.message.error ?? null).toBeNull();
  expect(textOf(next.state.message)).toBe("All done.");
  expect(requests).toHaveLength(asked + 1);

  scripts.delete(path);
  return { message, inputs, requests: asked };
}

function textOf({ content }: Msg): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** Claims that hold whatever became of an answer. */
function expectSafe({ message, inputs, requests }: Played): void {
  const { finished_reason, error } = message;
  expect(["completed", "error"]).toContain(finished_reason);
  if (finished_reason === "error") expect(ErrorInfoSchema.parse(error)).toEqual(error);
  else expect(textOf(message)).not.toBe("");
  const good = ORDERS.map((order) => JSON.stringify(order));
  const ran = inputs.map((input) => JSON.stringify(input));
  expect(ran.filter((input) => !good.includes(input))).toEqual([]);
  expect(new Set(ran).size).toBe(ran.length);
  // The tries of the mangled call, and the call after its results.
  expect(requests).toBeLessThanOrEqual(MAX_MODEL_RETRIES + 2);
}

const sizes = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 4 });
const answers = fc.constantFrom(...SAID);

/** The data without, or with null for, all members of these names. */
function withoutMembers(value: unknown, names: ReadonlySet<string>, isNull: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutMembers(one, names, isNull));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    // The type of an event says what it is.
    if (!names.has(name)) return [[name, withoutMembers(member, names, isNull)]];
    return isNull ? [[name, null]] : [];
  });
  return Object.fromEntries(kept) as unknown;
}

/** In place of a member. */
const ODD: readonly unknown[] = [undefined, null, "", 0, 7, true, [], {}, [null], "x"];

function withOdd(event: GoodEvent, at: number, value: unknown): GoodEvent {
  if (typeof event.data === "string") return event;
  const data = structuredClone(event.data) as Record<string, unknown>;
  const places: [Record<string, unknown>, string][] = [];
  const visit = (fields: object): void => {
    for (const [name, member] of Object.entries(fields)) {
      places.push([fields as Record<string, unknown>, name]);
      if (typeof member === "object" && member !== null) visit(member);
    }
  };
  visit(data);
  const place = places[at % places.length];
  if (place) place[0][place[1]] = value;
  return { ...event, data };
}

const change = fc.record({
  how: fc.constantFrom("odd", "odd", "odd", "drop", "repeat", "swap"),
  event: fc.nat(40),
  at: fc.nat(60),
  value: fc.constantFrom(...ODD),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function changed(events: readonly GoodEvent[], { how, event, at, value }: Change): GoodEvent[] {
  const index = event % events.length;
  const one = events[index]!;
  const [before, after] = [events.slice(0, index), events.slice(index + 1)];
  switch (how) {
    case "drop":
      return [...before, ...after];
    case "repeat":
      return [...before, one, one, ...after];
    case "swap":
      return [...before, ...after.slice(0, 1), one, ...after.slice(1)];
    default:
      return [...before, withOdd(one, at, value), ...after];
  }
}

for (const [rows, breadth] of sampled(WIRES, 1))
  describe.each(rows)("a mangled answer of $name in the loop", breadth, (wire) => {
    const { answer, idle, idleGroups } = goodOf(wire);

    it("is the right message without what only repeats, in any framing", async () => {
      const names = fc.subarray([...idle]);
      const groups = fc.constantFrom(...idleGroups);
      await fc.assert(
        fc.asyncProperty(
          fc.record({ said: answers, names, isNull: fc.boolean(), groups, form, sizes }),
          async (drawn) => {
            const left = new Set(drawn.names);
            const events = answer(drawn.said)
              .filter(({ group }) => group === undefined || !drawn.groups.includes(group))
              .map((event) => ({
                ...event,
                data: withoutMembers(event.data, left, drawn.isNull) as GoodEvent["data"],
              }));
            const mangled = { bytes: frame(events, drawn.form), sizes: drawn.sizes };

            const found = await play(wire, { mangled, times: 1 });

            expectSafe(found);
            const { texts, calls } = drawn.said;
            expect(found.message.finished_reason).toBe("completed");
            expect(textOf(found.message)).toBe(texts.join("") + (calls > 0 ? "All done." : ""));
            expect(found.inputs).toEqual(ORDERS.slice(0, calls));
            expect(found.requests).toBe(calls > 0 ? 2 : 1);
          },
        ),
        { numRuns: runs(40), endOnFailure: true },
      );
    });

    it("runs no tool with half an input, whatever became of its members and events", async () => {
      await fc.assert(
        fc.asyncProperty(
          answers,
          fc.array(change, { minLength: 1, maxLength: 3 }),
          fc.constantFrom(1, 2, 99),
          async (said, changes, times) => {
            const events = changes.reduce(changed, [...answer(said)]);
            const mangled = { bytes: frame(events), sizes: [1_000] };

            expectSafe(await play(wire, { mangled, times }));
          },
        ),
        { numRuns: runs(60), endOnFailure: true },
      );
    });

    it("is asked for again when it was cut, and is the right message then", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({ said: answers, cut: fc.nat(9_999), isBroken: fc.boolean(), sizes }),
          async ({ said, cut, isBroken, sizes: drawnSizes }) => {
            const mangled = { bytes: frame(answer(said)), cut, isBroken, sizes: drawnSizes };

            const found = await play(wire, { mangled, times: 1 });

            expectSafe(found);
            expect(found.message.finished_reason).toBe("completed");
            expect(found.requests).toBeLessThanOrEqual(2);
            // Of the mangled answer all was taken, or nothing.
            const { texts, calls } = said;
            const isTaken =
              found.inputs.length === calls && textOf(found.message).startsWith(texts.join(""));
            expect(
              isTaken || (found.inputs.length === 0 && textOf(found.message) === "All done."),
            ).toBe(true);
          },
        ),
        { numRuns: runs(40), endOnFailure: true },
      );
    });
  });
