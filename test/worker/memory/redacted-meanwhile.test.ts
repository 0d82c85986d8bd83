// A memory that goes while a reply runs which was told it.
import { expect, onTestFinished, test, vi } from "vitest";

import { deployHook } from "../support/deployed-hook.ts";
import {
  anotherSession,
  customsOf,
  memoriesOf,
  record,
  remembering,
  remembers,
  say,
  storeOf,
} from "./remembering.ts";

const requests: string[] = [];
deployHook({
  name: "watching",
  pre_model_call: ({ input }) => {
    requests.push(JSON.stringify(input));
    return null;
  },
});

test("a memory that is deleted during a call is not in the reply's next model request", async () => {
  const look = { type: "http", name: "look", url: "https://tools.example/look", read_only: true };
  const hooks = [{ name: "watching", type: "code", point: "pre_model_call" }];
  const ann = await remembering(remembers("both", {}, { tools: [look], hooks }));
  await say(ann, record("The user is allergic to nuts."));
  const [memory] = await memoriesOf(ann);
  const store = await storeOf(ann);
  const held = Promise.withResolvers<void>();
  const asking = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    await held.promise;
    return Response.json({ output: "Nothing." });
  });
  onTestFinished(() => asking.mockRestore());
  requests.length = 0;

  const again = await anotherSession(ann);
  const saying = say(again, "Cake with nuts?\n/call look {}\n/say done");
  await expect.poll(() => asking.mock.calls.length).toBe(1);
  await store.forget(memory?.id ?? "", undefined);
  held.resolve();
  const { status } = await saying;

  expect(status).toBe("completed");
  const told = requests.filter((one) => one.includes("Cake with nuts?"));
  expect(told.map((one) => one.includes("allergic")).slice(0, 2)).toEqual([true, false]);
  expect(await customsOf(again, "memories_redacted")).toEqual([{ memory_ids: [memory?.id] }]);
});
