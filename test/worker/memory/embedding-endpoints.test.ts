// Endpoints for embeddings that fail for good, that a suspended tenant has, and that are slower than an erasure.
import { expect, onTestFinished, test, vi } from "vitest";

import { hearLog } from "../../support/hear-log.ts";
import { ask } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { consolidate, inStore, wake, type Desk } from "./consolidating.ts";
import { memoryDesk } from "./memory-desk.ts";

const EMBEDDING = { name: "embed-1", base_url: "https://embeddings.example/v1" };
const MINUTE_MS = 60_000;

/** @param answer Of the endpoint. */
function endpoint(answer: () => Promise<Response>) {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(answer);
  onTestFinished(() => asked.mockRestore());
  return asked;
}

/** When the store asks next, in whole minutes from now, and how often it has failed. */
async function nextOf(desk: Desk): Promise<readonly number[]> {
  const [timer] = await inStore(desk, (sql) =>
    sql.exec("SELECT due_at, tries FROM timers WHERE kind = 'embed'").toArray(),
  );
  const waitMs = Number(timer?.["due_at"]) - Date.now();
  return [Math.ceil(waitMs / MINUTE_MS), Number(timer?.["tries"])];
}

test("an endpoint that goes on failing is asked less and less often, whatever is written and searched", async () => {
  const asked = endpoint(async () => new Response("no", { status: 503 }));
  const log = hearLog();
  const desk = await memoryDesk({ embedding: EMBEDDING });
  await desk.write("The customer drives a car.");

  const waits: (readonly number[])[] = [];
  for (let count = 0; count < 8; count += 1) {
    await wake(desk);
    await desk.write(`The customer has ${count} cats.`);
    waits.push(await nextOf(desk));
  }

  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((minutes, at) => [minutes, at + 1]));
  expect(asked).toHaveBeenCalledTimes(8);
  expect(new Set(log)).toEqual(new Set(["memory: memories could not be embedded; they will"]));
});

/** An endpoint that answers as one does that refuses some requests. */
function choosyEndpoint(isRefused: (texts: readonly string[]) => boolean) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (...asked) => {
    const { input } = (await new Request(...asked).json()) as { input: readonly string[] };
    if (isRefused(input)) return Response.json({ error: { message: "no" } }, { status: 400 });
    const embedding = [1, 0, 0, 0, 0, 0, 0, 0];
    return Response.json({ data: input.map((_, index) => ({ index, embedding })) });
  });
}

/** Vectors of the store, and how often its endpoint has failed. */
async function embeddedOf(desk: Desk) {
  const [vectors] = await inStore(desk, (sql) =>
    sql.exec("SELECT count(*) AS count FROM vectors").toArray(),
  );
  return [
    vectors?.["count"],
    await inStore(desk, (sql) => sql.exec("SELECT kind FROM timers").toArray()),
  ];
}

test.each([
  ["takes 10 texts at once", (texts: readonly string[]) => texts.length > 10],
  ["refuses one text", (texts: readonly string[]) => texts.some((text) => text.includes("7 cats"))],
])("an endpoint that %s embeds all others", async (_, isRefused) => {
  const asked = choosyEndpoint(isRefused);
  onTestFinished(() => asked.mockRestore());
  const desk = await memoryDesk({ embedding: EMBEDDING });
  for (let count = 0; count < 20; count += 1) await desk.write(`The customer has ${count} cats.`);

  await wake(desk);

  expect(await embeddedOf(desk)).toEqual([20, []]);
});

test("an endpoint that refuses everything is asked twice, and later again", async () => {
  const asked = choosyEndpoint(() => true);
  onTestFinished(() => asked.mockRestore());
  hearLog();
  const desk = await memoryDesk({ embedding: EMBEDDING });
  await desk.write("The customer drives a car.");
  await desk.write("The customer has a cat.");

  await wake(desk);

  expect(asked).toHaveBeenCalledTimes(2);
  expect(await nextOf(desk)).toEqual([1, 1]);
});

test("no memory is sent to an endpoint that the agent has no more, also where it fails, or a consolidation writes", async () => {
  const asked = endpoint(async () => new Response("no", { status: 503 }));
  hearLog();
  const desk = await memoryDesk({ embedding: EMBEDDING });
  await desk.write("The customer drives a car.");
  await wake(desk);
  const memory = { mode: "agent_control" };
  await ask("PATCH", `/v1/agents/${desk.agent_id}`, { ...desk.call, json: { memory } });

  await consolidate(desk);
  await desk.write("The customer has a cat.");
  const kinds = await inStore(desk, (sql) => sql.exec("SELECT kind FROM timers").toArray());
  await wake(desk);

  expect(asked).toHaveBeenCalledTimes(1);
  expect(kinds).toEqual([]);
});

test("no endpoint is asked for a suspended tenant, and once it is back the memories are embedded", async () => {
  const asked = endpoint(async () =>
    Response.json({ data: [{ index: 0, embedding: [1, 0, 0, 0, 0, 0, 0, 0] }] }),
  );
  const desk = await memoryDesk({ embedding: EMBEDDING });
  await desk.write("The customer drives a car.");
  await changeTenant(desk.tenant_id, { status: "suspended" });

  await wake(desk);
  const [suspended, waits] = [asked.mock.calls.length, await nextOf(desk)];
  await changeTenant(desk.tenant_id, { status: "active" });
  await wake(desk);

  expect([suspended, waits]).toEqual([0, [10, 0]]);
  expect(asked).toHaveBeenCalledTimes(1);
  const vectors = await inStore(desk, (sql) => sql.exec("SELECT slot FROM vectors").toArray());
  expect(vectors).toHaveLength(1);
});

test("a search whose store is erased meanwhile finds no store", async () => {
  const vector = { data: [{ index: 0, embedding: [1, 0, 0, 0, 0, 0, 0, 0] }] };
  const held = Promise.withResolvers<void>();
  let asking = 0;
  const asked = endpoint(async () => {
    asking += 1;
    if (asking > 1) await held.promise;
    return Response.json(vector);
  });
  const desk = await memoryDesk({ embedding: EMBEDDING });
  await desk.write("The customer drives a car.");
  await wake(desk);

  const searching = ask("GET", `${desk.path}/memories?search=car`, desk.call);
  await expect.poll(() => asked.mock.calls.length).toBe(2);
  await desk.object.erase();
  held.resolve();
  const { status, json } = await searching;

  expect([status, json.code, json.detail]).toEqual([
    404,
    "not_found",
    "this memory store was deleted meanwhile",
  ]);
});
