// Good frames that are mangled on their way to an adapter: calls end, with what was said or a named error, no
// call has an input that the model did not finish, and the next connection answers.
import "../property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ErrorTypeSchema } from "../../../protocol/messages/messages.ts";
import { createScriptedModel } from "../../../model/scripted/scripted-model.ts";
import { textToPcm } from "../../../model/voice/tones.ts";
import { runs } from "../breadth.ts";
import { waitUntil } from "../wait-for.ts";
import { askVoice, openVoice, spokenMessage } from "./opened-voice.ts";
import type { ProviderSuite, StartedProvider } from "./provider-suite.ts";

type Change =
  | { readonly type: "drop" | "double" | "cut" | "noise" }
  | { readonly type: "member"; readonly which: number; readonly value: unknown };

/** By the number of the frame; those behind the last are as they are. */
type Changes = ReadonlyMap<number, Change>;

const VALUES = [undefined, null, "", 7, -1, true, [], {}, "x".repeat(600), Number.MAX_VALUE];
const NOISE = ['{"type":"from.the.future","of":[{}]}', "{}", '{"type":null}'];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constantFrom("drop", "double", "cut", "noise") }) as fc.Arbitrary<Change>,
  fc.record({
    type: fc.constant("member" as const),
    which: fc.nat(40),
    value: fc.constantFrom(...VALUES),
  }),
);
const changes: fc.Arbitrary<Changes> = fc
  .array(fc.tuple(fc.nat(30), change), { minLength: 1, maxLength: 4 })
  .map((list) => new Map(list));

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});
const SAID = 'I look.lookup_order{"order_id":"A-1001"}';
const TOOLS = [
  {
    name: "lookup_order",
    description: "",
    input_schema: { type: "object" },
    read_only: true,
    concurrency_safe: false,
    idempotent: false,
  },
] as const;

export function describeMangled(suite: ProviderSuite): void {
  describe(`The voice of ${suite.name}`, () => {
    it("ends its calls whatever happens to the frames, and the next connection answers", async () => {
      const started = await suite.start();
      await fc.assert(
        fc.asyncProperty(changes, (given) => playMangled(suite, started, given)),
        { numRuns: runs(40) },
      );
      await started.stop();
    });
  });
}

async function playMangled(
  { inputRate, hasObjectInputs = false }: ProviderSuite,
  started: StartedProvider,
  given: Changes,
): Promise<void> {
  const limits = { silenceMs: 250, readyMs: 5_000 };
  const { connection, events } = await openVoice(started.makeVoice({ limits }), { tools: TOOLS });
  const client = await waitUntil(() => started.server.clients.at(-1));
  const [model] = connection.speaks([NOBODY]);
  connection.appendAudio(
    textToPcm('/say I look.\n/call lookup_order {"order_id":"A-1001"}', inputRate),
  );
  connection.commit();
  await waitUntil(() => events.some(({ type }) => type === "input_done") || undefined);
  let sent = 0;
  client.mangle = (frame) => {
    const found = given.get(sent);
    sent += 1;
    return found ? mangled(frame, found) : [JSON.stringify(frame)];
  };
  const said = await askVoice(model, [spokenMessage(2_000)], { tools: TOOLS });
  connection.close();

  const error = /^error (\w+)$/.exec(said.at(-1) ?? "")?.[1];
  if (error !== undefined) expect(ErrorTypeSchema.options).toContain(error);
  // A text may have lost pieces, a call is whole or none.
  for (const call of error === undefined ? said.filter((one) => one.includes("{")) : []) {
    if (hasObjectInputs)
      expect(JSON.parse(call.slice(call.indexOf("{")))).toEqual(expect.any(Object));
    else expect(call).toBe('lookup_order{"order_id":"A-1001"}');
  }
  const next = await openVoice(started.makeVoice(), { tools: TOOLS });
  next.connection.appendAudio(
    textToPcm('/say I look.\n/call lookup_order {"order_id":"A-1001"}', inputRate),
  );
  next.connection.commit();
  await next.until("heard item1");
  const again = await askVoice(next.connection.speaks([NOBODY])[0], [spokenMessage(2_000)], {
    tools: TOOLS,
  });
  next.connection.close();
  expect(again.join("")).toBe(SAID);
}

function mangled(frame: object, found: Change): readonly string[] {
  const text = JSON.stringify(frame);
  switch (found.type) {
    case "drop":
      return [];
    case "double":
      return [text, text];
    case "cut":
      return [text.slice(0, text.length / 2)];
    case "noise":
      return [...NOISE, text];
    case "member":
      return [JSON.stringify(withMember(frame, found))];
  }
}

/** One member somewhere in the frame has another value, or is gone. */
function withMember(
  frame: object,
  { which, value }: { readonly which: number; readonly value: unknown },
): object {
  const copy = structuredClone(frame) as Record<string, unknown>;
  const places: { readonly holder: Record<string, unknown>; readonly name: string }[] = [];
  const visit = (holder: Record<string, unknown>) => {
    for (const [name, member] of Object.entries(holder)) {
      places.push({ holder, name });
      if (typeof member === "object" && member !== null) visit(member as Record<string, unknown>);
    }
  };
  visit(copy);
  const place = places[which % Math.max(1, places.length)];
  if (place) place.holder[place.name] = value;
  return copy;
}
